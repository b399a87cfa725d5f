"""Writes documents of each kind to FOLDER, with the libraries that people read them with, and prints what
these read from them: a line for each URL, after the name of the file."""

import html.parser
import pathlib
import random
import re
import sys
import zipfile

import docx
import odf.opendocument
import odf.table
import odf.teletype
import odf.text
import openpyxl
import pptx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from ebooklib import epub
from odf.style import Style, TextProperties

folder = pathlib.Path(sys.argv[1])
random = random.Random(1738)
URL = re.compile(r"\bhttps?://[^\s<>\"']+")
NUMBER = 40


def text(number):
    """A paragraph with two URLs, cut into runs anywhere."""
    whole = f"See http://a{number}.example/some/page?x={number}&y and https://b{number}.example/~joe/ too"
    cuts = sorted(random.sample(range(1, len(whole)), random.randrange(6)))
    return [whole[start:end] for start, end in zip([0, *cuts], [*cuts, None])]


def link(number):
    return f"http://link{number}.example/a?b=1&c={number}"


def docx_file(path):
    document = docx.Document()
    for number in range(NUMBER):
        holder = document.add_table(1, 1).cell(0, 0) if number % 5 == 4 else document
        paragraph = holder.add_paragraph()
        for part in text(number):
            paragraph.add_run(part).bold = random.random() < 0.5
        relation = document.part.relate_to(link(number), RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        hyperlink = OxmlElement("w:hyperlink")
        hyperlink.set("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id", relation)
        hyperlink.append(paragraph.add_run(" shown")._r)
        paragraph._p.append(hyperlink)
    document.sections[0].header.paragraphs[0].text = "http://header.example/"
    document.core_properties.comments = "http://property.example/"
    document.save(path)
    document = docx.Document(path)
    paragraphs = [*document.paragraphs, *document.sections[0].header.paragraphs]
    paragraphs += [one for table in document.tables for one in table.cell(0, 0).paragraphs]
    for paragraph in paragraphs:
        yield from URL.findall(paragraph.text)
        yield from (one.address for one in paragraph.hyperlinks)


def pptx_file(path):
    show = pptx.Presentation()
    for number in range(NUMBER):
        slide = show.slides.add_slide(show.slide_layouts[1])
        paragraph = slide.placeholders[1].text_frame.paragraphs[0]
        for part in text(number):
            run = paragraph.add_run()
            run.text, run.font.bold = part, random.random() < 0.5
        slide.shapes.title.text_frame.paragraphs[0].add_run().hyperlink.address = link(number)
        slide.notes_slide.notes_text_frame.text = f"http://notes{number}.example/"
    show.save(path)
    for slide in pptx.Presentation(path).slides:
        for shape in [*slide.shapes, *slide.notes_slide.shapes]:
            for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else []:
                yield from URL.findall(paragraph.text)
                yield from (run.hyperlink.address for run in paragraph.runs if run.hyperlink.address)


def xlsx_file(path):
    book = openpyxl.Workbook()
    for number in range(NUMBER):
        book.active.append(["".join(text(number)), f'=HYPERLINK("{link(number)}","shown")', "linked"])
        book.active.cell(number + 1, 3).hyperlink = f"http://cell{number}.example/?a&b"
        book.active.cell(number + 1, 1).comment = openpyxl.comments.Comment(f"http://note{number}.example/", "a")
    book.save(path)
    for row in openpyxl.load_workbook(path).active.iter_rows():
        for cell in row:
            yield from URL.findall(str(cell.value))
            yield from [cell.hyperlink.target] if cell.hyperlink else []
            yield from URL.findall(cell.comment.text) if cell.comment else []


def odf_texts(document, elements):
    for kind in elements:
        for element in document.getElementsByType(kind):
            yield from URL.findall(odf.teletype.extractText(element))
    for element in document.getElementsByType(odf.text.A):
        yield element.getAttribute("href")


def odt_file(path):
    document = odf.opendocument.OpenDocumentText()
    bold = Style(name="bold", family="text")
    bold.addElement(TextProperties(fontweight="bold"))
    document.automaticstyles.addElement(bold)
    for number in range(NUMBER):
        paragraph = odf.text.P() if number % 5 else odf.text.H(outlinelevel=1)
        for part in text(number):
            odf.teletype.addTextToElement(paragraph, part) if random.random() < 0.5 else paragraph.addElement(
                odf.text.Span(stylename=bold, text=part)
            )
        paragraph.addText(" ")
        paragraph.addElement(odf.text.A(type="simple", href=link(number), text="shown"))
        document.text.addElement(paragraph)
    document.save(path)
    yield from odf_texts(odf.opendocument.load(path), [odf.text.P, odf.text.H])


def ods_file(path):
    document = odf.opendocument.OpenDocumentSpreadsheet()
    table = odf.table.Table(name="a")
    for number in range(NUMBER):
        row = odf.table.TableRow()
        cell = odf.table.TableCell(valuetype="string")
        cell.addElement(odf.text.P(text="".join(text(number))))
        row.addElement(cell)
        formula = f'of:=HYPERLINK("{link(number)}";"shown")'
        row.addElement(odf.table.TableCell(valuetype="string", formula=formula))
        table.addElement(row)
    document.spreadsheet.addElement(table)
    document.save(path)
    document = odf.opendocument.load(path)
    yield from odf_texts(document, [odf.text.P])
    for cell in document.getElementsByType(odf.table.TableCell):
        yield from URL.findall(cell.getAttribute("formula") or "")


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found += [value for name, value in attributes if name in ("href", "src") and "://" in value]

    def handle_data(self, data):
        self.found += URL.findall(data)


def epub_file(path):
    book = epub.EpubBook()
    book.set_identifier("urn:uuid:1")
    book.set_title("http://title.example/")
    chapters = []
    for number in range(NUMBER):
        chapter = epub.EpubHtml(title=str(number), file_name=f"{number}.xhtml")
        words = "".join(text(number)).replace("&", "&amp;")
        chapter.content = f'<p>{words}</p><p><a href="{link(number).replace("&", "&amp;")}">shown</a></p>'
        book.add_item(chapter)
        chapters.append(chapter)
    book.toc = book.spine = chapters
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    epub.write_epub(path, book)
    for item in epub.read_epub(path).get_items_of_type(9):
        yield from Links(item.get_content().decode()).found


for make in docx_file, pptx_file, xlsx_file, odt_file, ods_file, epub_file:
    path = folder / ("a." + make.__name__.removesuffix("_file"))
    for url in sorted(set(make(str(path)))):
        print(path.name, url)
    assert zipfile.is_zipfile(path)
