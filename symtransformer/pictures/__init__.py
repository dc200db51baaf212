"""Pictures of a derivation as SVG: the shades of a matrix, and entries as a parameter changes.

They are drawn by matplotlib, which comes with the extra `pictures`. Text stays text in them, so that it can be
selected and searched; the same derivation gives the same bytes.
"""

from __future__ import annotations

from symtransformer.pictures.curves import curve
from symtransformer.pictures.heat_maps import heat_map

__all__ = ["curve", "heat_map"]
