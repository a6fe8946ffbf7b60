"""Chapter 20 as pure rules, one module per part."""
