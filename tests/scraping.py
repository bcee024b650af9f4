"""What a service says of itself on its metrics port."""

from __future__ import annotations

import urllib.request

from prometheus_client.parser import text_string_to_metric_families

Labels = tuple[tuple[str, str], ...]


class Scraped(dict[tuple[str, Labels], float]):
    """By name and labels: `scraped.value("reader_unread_messages", partition="0")`."""

    def values_of(self, name: str) -> list[float]:
        return [value for (sample, _), value in self.items() if sample == name]

    def value(self, name: str, **labels: str) -> float:
        """The sum of all that have these labels; a name that is not there fails."""
        wanted = set(labels.items())
        found = [
            value for (sample, has), value in self.items() if sample == name and wanted <= {*has}
        ]
        assert found, (name, labels)
        return sum(found)


def scrape(address: str) -> Scraped:
    page = urllib.request.urlopen(f"http://{address}/metrics", timeout=5).read().decode()
    return Scraped(
        ((sample.name, tuple(sorted(sample.labels.items()))), sample.value)
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    )
