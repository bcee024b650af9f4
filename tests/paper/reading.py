"""Documents written and read back, as a reader of the file sees them."""

from io import BytesIO

from pypdf import PdfReader

from paper import Block, Document, write_pdf


def document_of(*blocks: Block, title: str = "Daily report") -> Document:
    return Document(title=title, issuer="Cascade Card Room", blocks=blocks)


def written(document: Document) -> bytes:
    file = BytesIO()
    write_pdf(file, document)
    return file.getvalue()


def read(document: Document) -> PdfReader:
    return PdfReader(BytesIO(written(document)))


def pages_of(document: Document) -> list[str]:
    """The text of every page, in one line each."""
    return [" ".join(page.extract_text().split()) for page in read(document).pages]


def positions(document: Document) -> list[tuple[float, str]]:
    """Where on its page every run of text begins, from the left edge of the sheet."""
    found: list[tuple[float, str]] = []

    def visit(text: str, now: list[float], line: list[float], *_: object) -> None:
        if text.strip():
            found.append((line[4] * now[0] + now[4], text))

    for page in read(document).pages:
        page.extract_text(visitor_text=visit)
    return found
