"""How every figure of the oracle comes out of the library: one table for each document."""

from oracle_tables import article, chapter_4, chapter_5, chapter_6, chapter_7, chapter_8, geometry, other

TABLES = (
    chapter_4.TABLE, chapter_5.TABLE, chapter_6.TABLE, chapter_7.TABLE, chapter_8.TABLE, other.TABLE, geometry.TABLE,
    article.TABLE,
)  # fmt: skip
