"""Documents as text: for a pipe, as Markdown, as a page, as data."""
