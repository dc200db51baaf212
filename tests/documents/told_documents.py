"""What a test says of a small document: relations with chain and place, passages with kind and place, problems."""

from symtransformer.documents import read_document, split, unread_signs


def told(text, name):
    document = read_document(text.encode(), name)
    found, claimed = split(document)
    return [
        *(
            f"{r.chain} {r.line}:{r.column} {' '.join(r.left.text.split())} {r.sign} {' '.join(r.right.text.split())}"
            + " above" * r.above
            + f" if {r.condition}" * bool(r.condition)
            for r in found
        ),
        *(
            f"{p.where} {p.language} {p.line}:{p.column}"
            + " continues" * p.continues
            + (f" {p.cell.table},{p.cell.row},{p.cell.column} {p.cell.heading}|{p.cell.label}" if p.cell else "")
            for p in document.passages
        ),
        *(f"{p.code} {p.line}:{p.column}" for p in (*document.problems, *unread_signs(document, claimed))),
    ]
