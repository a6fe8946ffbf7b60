"""Battle for Stalingrad: what its chart sheet says. The rules booklet is not in the text, so no sequence is either."""
