"""What the site has that mkdocs.yml does not list: pages beside docs/, and the pages of methods and decisions in their places."""
import pathlib
import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

root = pathlib.Path(__file__).resolve().parent.parent
beside = {"CONTRIBUTING.md": root, "CHANGELOG.md": root, "nonsmooth.css": root / "site"}


def pages_of(folder):
    return [f"{folder}/{path.name}" for path in sorted((root / "docs" / folder).glob("*.md"))]


def listed(items):
    """The entries of a part of the navigation, in which {methods} and {decisions} stand for the pages of these folders."""
    for item in items:
        if isinstance(item, str) and (folder := re.fullmatch(r"\{(\w+)\}", item)):
            yield from pages_of(folder[1])
        elif isinstance(item, dict):
            yield {title: list(listed(entry)) if isinstance(entry, list) else entry for title, entry in item.items()}
        else:
            yield item


def on_config(config):
    config["nav"] = list(listed(config["nav"]))
    return config


def on_files(files, config):
    for name, folder in beside.items():
        files.append(File(name, str(folder), config["site_dir"], config["use_directory_urls"]))
    return files


def on_nav(nav, config, files):
    missing = [file.src_path for file in files.documentation_pages() if file.src_path not in {page.file.src_path for page in nav.pages}]
    if missing:
        raise PluginError(f"not in the navigation of site/mkdocs.yml: {', '.join(missing)}")
    index = (root / "docs" / "index.md").read_text(encoding="utf-8")
    unlisted = [page for page in pages_of("decisions") if f"({page})" not in index]
    if unlisted:
        raise PluginError(f"not in docs/index.md: {', '.join(unlisted)}")
    return nav


def on_page_markdown(markdown, page, config, files):
    """Links that hold in the repository hold in the site."""
    if page.file.src_path in beside:
        return re.sub(r"\]\(docs/", "](", markdown)
    return re.sub(r"\]\(\.\./(CONTRIBUTING|CHANGELOG)\.md", r"](\1.md", markdown)
