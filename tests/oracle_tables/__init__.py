"""How every figure of the oracle comes out of the library: one table for each document."""

from oracle_tables import chapter_4

TABLES = (chapter_4.TABLE,)
