"""What stands in a PDF: its text, where it stands, and its fonts, as another library reads them."""

from __future__ import annotations

import io
import unicodedata

import pypdf


def reader_of(content):
    return pypdf.PdfReader(io.BytesIO(content))


def text_of(content):
    return "\n".join(page.extract_text() for page in reader_of(content).pages)


def squeezed(text):
    """Text without spaces and places to break, its letters plain."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    return "".join(c for c in plain if not c.isspace() and c not in "\u00ad\u200b")


def fonts_of(content):
    """Each font of the pages, and whether the file holds it."""
    found = {}
    for page in reader_of(content).pages:
        for reference in page["/Resources"].get("/Font", {}).values():
            font = reference.get_object()
            descendant = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            descriptor = descendant["/FontDescriptor"].get_object()
            found[font["/BaseFont"]] = any(key.startswith("/FontFile") for key in descriptor)
    return found


def alternatives_of(content):
    """What a screen reader says instead of each formula, from the tree of tags."""
    found, waiting = [], [reader_of(content).trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop().get_object()
        if "/Alt" in node:
            found.append(str(node["/Alt"]))
        children = node.get("/K", [])
        for child in children if isinstance(children, list) else [children]:
            if hasattr(child.get_object(), "get"):
                waiting.append(child)
    return found


def starts_of_text(content):
    """(page, x, y) of each run of text, in points from the lower left corner."""
    places = []
    for number, page in enumerate(reader_of(content).pages):

        def visit(text, user, matrix, font, size, number=number):
            if text.strip():
                places.append((number, matrix[4] * user[0] + user[4], matrix[5] * user[3] + user[5]))

        page.extract_text(visitor_text=visit)
    return places
