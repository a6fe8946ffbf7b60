"""Pages as a browser reads them: elements by CSS selector, their words and their attributes.

selectolax parses as HTML5 says, fragments too, knows CSS selectors, and is so quick that every answer can be read.
"""

from selectolax.lexbor import LexborHTMLParser


def read(html):
    """A page or a fragment as a tree."""
    return LexborHTMLParser(html)


def words(node):
    """What a reader sees of an element, with single blanks; of the whole page if given a tree."""
    return " ".join((node.text(separator=" ") or "").split()) if node else ""


def find(html, selector):
    """Every element that a selector names, in the order of the page."""
    return read(html).css(selector)


def words_of_each(html, selector):
    """The words of every element that a selector names."""
    return [words(node) for node in find(html, selector)]


def values_of_each(html, selector, name):
    """An attribute of every element that a selector names."""
    return [node.attributes.get(name) or "" for node in find(html, selector)]
