#!/usr/bin/env python3
"""doxygen_filter.py HEADER: prints a public header with its comments in the form that doxygen reads.

The headers use plain comments. One describes the declaration below it and what follows up to the next comment or blank line, or, to the
right of a declaration, that one; that of a class also its constructors, where they have none. Protected parts are left out. The lines keep their
numbers, so that doxygen's messages fit the header.
"""
import re
import sys

special = re.compile(r"([\\@<>#*_~])")
scope_words = re.compile(r'\b(class|struct|enum|union|namespace|extern "C")')


def plain(comment):
    """The comment as Markdown that shows it as it is; what stands in backticks is code."""
    parts = comment.replace("*/", "* /").split("`")
    if len(parts) % 2 == 0:
        return special.sub(r"\\\1", comment)
    return "`".join(part if k % 2 else special.sub(r"\\\1", part) for k, part in enumerate(parts))


class Line:
    """A line of a header: its code, its comment (None: no comment), and the declarations that begin on it."""

    def __init__(self, text):
        self.text, self.code, self.comment = text, text, None
        self.begins = None  # None, "scope", "declaration"
        self.ends_group = not text.strip()
        self.in_body = False

    @property
    def only_comment(self):
        return self.comment is not None and not self.code.strip()


def split_comments(texts, c):
    inside = False
    for text in texts:
        line = Line(text)
        if inside:
            inside = "*/" not in text
            line.code, line.comment = "", re.sub(r"^\s*\* ?", " ", text.split("*/")[0])
        elif c and (match := re.match(r"^\s*/\*(.*)$", text)):
            inside = "*/" not in text
            line.code, line.comment = "", match[1].split("*/")[0]
        elif c and (match := re.match(r"^(.*?\S)\s*/\*(.*)\*/$", text)):
            line.code, line.comment = match[1], match[2]
        elif not c and (match := re.match(r'^((?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*)//(.*)$', text)):
            line.code, line.comment = match[1], match[2]
        yield line


def find_declarations(lines):
    """Marks where declarations begin in namespaces, classes and enumerations, and which lines lie in bodies of functions."""
    scopes, statement, first, continued = [], "", None, False
    for line in lines:
        line.in_body = "body" in scopes
        code = re.sub(r"/\*.*?\*/", "", re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: m[0] if m[0] == '"C"' else '""', line.code))
        if continued or code.startswith("#"):
            continued, line.ends_group = code.endswith("\\"), True
            continue
        for position, character in enumerate(code):
            if "body" in scopes:
                if character == "{":
                    scopes.append("body")
                elif character == "}":
                    scopes.pop()
                    if "body" not in scopes and "(" in statement and "=" not in statement.split(")")[-1]:
                        statement, first = "", None
                continue
            if character.isspace() and not statement:
                continue
            if first is None and character not in "{};,:":
                first = line if not code[:position].strip() else False
                if first:
                    first.begins = "declaration"
            statement += character
            if character == "{":
                words = scope_words.findall(statement.split("(")[0])
                scopes.append(words[-1] if words and "=" not in statement else "body")
                if words and scopes[-1] != "body":
                    if first:
                        first.begins = "scope"
                    statement, first = "", None
            elif character == "}":
                if scopes:
                    scopes.pop()
                statement, first = "", None
                line.ends_group = True
            elif character == ";" or (character == "," and scopes and scopes[-1] == "enum"):
                statement, first = "", None
            elif character == ":" and re.fullmatch(r"\s*(public|private|protected)\s*:", statement):
                if first:
                    first.begins = None
                statement, first = "", None
                line.ends_group = True


def declared_name(code):
    """What a declaration that begins so declares."""
    name = re.search(r"(~?\w+|operator\S+)\(|using (\w+)|(\w+)(?: = [^;]*)?;|(\w+)\s*$", code)
    return next(group for group in name.groups() if group) if name else code.strip()


def shared_comments(lines):
    """The comments by the lines that they describe: of the declarations after the first one below a comment, and of the first ones."""
    shared, above, comment_of_class, k = {}, {}, {}, 0
    while k < len(lines):
        if not lines[k].only_comment or lines[k].in_body:
            k += 1
            continue
        start = k
        while k < len(lines) and lines[k].only_comment:
            k += 1
        text = " ".join(line.comment.strip() for line in lines[start:k])
        head = True
        if k < len(lines) and lines[k].begins == "declaration":
            above[k] = text
        if k < len(lines) and lines[k].begins == "scope" and (name := re.search(r"\b(?:class|struct) (\w+)", lines[k].code)):
            comment_of_class[name[1]] = text
        while k < len(lines) and not lines[k].ends_group and not (lines[k].only_comment and not lines[k].in_body):
            if lines[k].begins == "scope":
                break
            if "= delete" in lines[k].code or re.match(r"\s*(virtual )?~", lines[k].code):
                k += 1
                continue
            if lines[k].begins and head:
                first = declared_name(lines[k].code)
            elif lines[k].begins and lines[k].comment is None:
                shared[k] = f"With `{first}`: {text}"
            head = head and not lines[k].begins
            k += 1
    for k, line in enumerate(lines):
        constructed = re.match(r"\s*(?:explicit )?(\w+)\(", line.code)
        documented = line.comment is not None or k in shared or (k > 0 and lines[k - 1].only_comment)
        if line.begins == "declaration" and constructed and constructed[1] in comment_of_class and not documented:
            shared[k] = comment_of_class[constructed[1]]
    return shared, above


def with_enumerators(text):
    """The enumerations made from lists of macros, written out; in one line, so that the others keep their numbers."""
    lists = {}
    for name, body in re.findall(r"#define (NSM_\w+_LIST)\(X\)((?:.*\\\n)*.*)", text):
        lists[name] = re.findall(r'X\((\w+), (\d+), "[^"]*",\s*(?:\\\n\s*)?"([^"]*)"', body)

    def enumeration(match):
        values = " ".join(f"{name} = {value}, /**< {plain(meaning)} */" for name, value, meaning in lists[match[2]])
        return f"{match[1]}{{ {values} {match[3]} /**< how many there are */ }}"

    text = text.replace(" NSM_AS_INT_", "")
    return re.sub(r"(typedef enum \w+ )\{\s*(NSM_\w+_LIST)\(NSM_ENUMERATOR_\)\s*(\w+)\s*\}", enumeration, text)


def described(code, comment, first_too=True):
    """The code behind its description; of `double a, b;` each variable has it."""
    parts = re.match(r"^(\s*[\w:<>,]+(?: const)?[ *&]+)(\w+(?: = [^,;(]+)?)((?:, \w+(?: = [^,;(]+)?)+);$", code.rstrip())
    pieces = [f"{parts[1]}{name};" for name in [parts[2], *parts[3][2:].split(", ")]] if parts else [code]
    mark = f"/** {plain(comment.strip())} */ "
    return " ".join((mark if k or first_too else "") + piece for k, piece in enumerate(pieces))


operand = """public: /** A copy of {0}; throws where it is not set. */ {2} get{0}() const;
/** {0} itself, which the model reads; empty where it is not set. */ const std::shared_ptr<{2}>& {1}() const;
/** A constant {0}, copied. */ void set{0}(const {2}& value);
/** {0} shared with the caller, whose changes the model sees. */ void set{0}Ptr(std::shared_ptr<{2}> value);
/** {0} computed by a function. */ void setCompute{0}Function({3} function);
/** {0} computed by a C function of a shared library (plugin.hpp). */ void setCompute{0}(const std::string& plugin, const std::string& function);
private:""".replace("\n", " ")


def with_operands(text):
    """The members that NONSMOOTH_KERNEL_OPERAND (functions.hpp) makes, written out in one line."""
    return re.sub(r"(?m)^  NONSMOOTH_KERNEL_OPERAND\((\w+), (\w+), (\w+), (\w+), \w+\);$", lambda m: operand.format(*m.groups()), text)


def filtered(text, c):
    text = re.sub(r"(?m)^( *)protected:", r"\1private:", with_operands(with_enumerators(text)))
    lines = list(split_comments(text.split("\n"), c))
    find_declarations(lines)
    shared, above = shared_comments(lines)
    out = []
    for k, line in enumerate(lines):
        if line.in_body or (line.comment is None and k not in shared and k not in above):
            out.append(line.text)
        elif line.comment is None:
            out.append(described(line.code, shared.get(k, above.get(k)), first_too=k in shared))
        elif line.only_comment:
            indent = re.match(r" *", line.comment)[0]
            body = plain(line.comment.strip())
            last_of_head = k + 1 < len(lines) and not lines[k + 1].only_comment and all(earlier.only_comment for earlier in lines[:k])
            out.append("///" + " " * (5 if len(indent) > 2 else 1) + body + (" @file" if last_of_head else ""))
        elif line.begins:  # in front: so it describes all of `double a, b;`
            out.append(described(line.code, line.comment))
        else:
            out.append(f"{line.code} /**< {plain(line.comment.strip())} */")
    return "\n".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(filtered(header.read(), sys.argv[1].endswith(".h")))
