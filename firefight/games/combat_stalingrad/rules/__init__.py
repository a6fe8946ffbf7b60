"""The rules of Combat! Stalingrad, one module for each chapter or part of one."""
