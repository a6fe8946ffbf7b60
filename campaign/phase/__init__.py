"""The Reorganization Phase: what comes next, who decides, how a sector is fought out."""
