"""A small scanner for the C++ of this project: enough to find scopes, functions and variables, no more.

clean(text) blanks comments, strings and preprocessor lines and keeps every line in its place.
statements(cleaned) yields what ends with ';' or opens a brace, with the kind of scope it stands in.
"""
import re
from collections import namedtuple

NAMESPACE, CLASS, FUNCTION, DATA = "namespace", "class", "function", "data"

# text: the statement; line: where it begins; scope: kind of the innermost scope around it; opens: kind of the scope it opens or None;
# end_line: for one that opens a scope, the line of its closing brace.
Statement = namedtuple("Statement", "text line scope opens end_line")

_TOKENS = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"([^()\s\\]{0,16})\(.*?\)\1" | "(?:\\.|[^"\\\n])*" | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+' """,
    re.S | re.X)


def _blank(match):
    token = match.group(0)
    filler = "".join(c if c == "\n" else " " for c in token)
    return '"' + filler[2:] + '"' if token[0] in "\"R" and len(token) > 1 else filler


def clean(text):
    text = _TOKENS.sub(_blank, text)
    lines, directive = [], False
    for line in text.split("\n"):
        directive = directive or line.lstrip().startswith("#")
        lines.append("" if directive else line)
        directive = directive and line.rstrip().endswith("\\")
    return "\n".join(lines)


def _opens(head, scope):
    """Kind of the scope that a brace after `head` opens."""
    words = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^)]*\)", " ", head)
    if re.search(r"\bnamespace\b[\w:\s]*$", words) or re.search(r'\bextern\s*"\s*"\s*$', words):
        return NAMESPACE
    if re.match(r"\s*(?:template\s*<.*>\s*)?(?:typedef\s+)?(?:class|struct|union|enum)\b", words, re.S) and "(" not in words:
        return DATA if re.search(r"\benum\b", words) else CLASS
    if scope in (FUNCTION, DATA):
        return FUNCTION if scope == FUNCTION else DATA
    if re.search(r"\)\s*(?:const|noexcept(?:\s*\([^()]*\))?|override|final|&|->[^;=]*|\s)*$", words) or re.search(
            r"\)\s*(?:noexcept\s*)?:\s*\w", words) or re.search(r"\brequires\b", words):
        return FUNCTION
    return DATA  # initialiser


def statements(cleaned):
    result, stack = [], []
    begin, line, depth = None, 1, 0
    buffer = []

    def scope():
        return stack[-1][0] if stack else NAMESPACE

    def emit(opens):
        text = "".join(buffer).strip()
        text = re.sub(r"^(?:\s*(?:public|private|protected)\s*:)+", "", text).strip()
        statement = Statement(text, begin or line, scope(), opens, None)
        result.append(statement)
        return len(result) - 1

    for c in cleaned:
        if c == "\n":
            line += 1
        if c in "([":
            depth += 1
        elif c in ")]":
            depth = max(0, depth - 1)
        if c == "{" and depth == 0:
            kind = _opens("".join(buffer), scope())
            index = emit(kind)
            # What follows an initialiser's brace still belongs to its declaration.
            stack.append((kind, index, begin))
            buffer, begin = [], None
        elif c == "}" and depth == 0:
            if stack:
                _, index, _ = stack.pop()
                result[index] = result[index]._replace(end_line=line)
            buffer, begin = [], None
        elif c == ";" and depth == 0:
            if "".join(buffer).strip():
                emit(None)
            buffer, begin = [], None
        else:
            if begin is None and not c.isspace():
                begin = line
            buffer.append(c)
    return result


_NOT_A_VARIABLE = re.compile(
    r"^(?:\[\[[^\]]*\]\]\s*)*(?:using|typedef|class|struct|union|enum|template|extern|friend|namespace|static_assert|concept|return|"
    r"public|private|protected|if|else|for|while|do|switch|case|default|goto|break|continue|throw|try|catch|operator|requires|asm)\b")


def _is_const(declaration):
    if re.search(r"\bconst(?:expr|init\s+const|eval)\b", declaration):
        return True
    name_part = declaration.split("=")[0]
    after_pointer = name_part[name_part.rfind("*") + 1:]
    return bool(re.search(r"\bconst\b", after_pointer if "*" in name_part else name_part))


def _outside_templates(declaration):
    previous = None
    while previous != declaration:
        previous, declaration = declaration, re.sub(r"<[^<>]*>", " ", declaration)
    return declaration


def writable_variables(cleaned):
    """(line, text) of every variable with static or thread storage that is not const."""
    found = []
    for s in statements(cleaned):
        text = s.text
        keyword = re.match(r"(?:inline\s+)?(?:static|thread_local)\b", text)
        if s.scope == NAMESPACE:
            candidate = s.opens in (None, DATA) and not _NOT_A_VARIABLE.match(text)
        else:
            candidate = keyword and s.opens in (None, DATA)
        declaration = _outside_templates(text.split("=")[0])
        if not candidate or not text or "(" in declaration or not re.match(r"[\w:\s*&\[\],.<>]+$", declaration):
            continue
        if len(re.findall(r"\w+", declaration)) < 2 or re.search(r"\boperator\b", text):
            continue
        if not _is_const(declaration):
            found.append((s.line, text))
    return found


def functions(cleaned):
    """(name, first line, last line) of every function defined at namespace or class scope."""
    found = []
    for s in statements(cleaned):
        if s.opens == FUNCTION and s.scope in (NAMESPACE, CLASS) and s.end_line:
            name = re.search(r"([\w:~]+|operator\s*\S+)\s*\(", s.text)
            found.append((name.group(1) if name else "?", s.line, s.end_line))
    return found
