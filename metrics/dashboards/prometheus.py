"""As much of Prometheus' HTTP API as the dashboards and their tests need."""

import json
import urllib.error
import urllib.parse
import urllib.request


class Prometheus:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def query(self, expr, at=None):
        """[(labels, value)] now, or at a time in seconds since 1970."""
        result = self.get("query", query=expr, **({} if at is None else {"time": at}))["result"]
        return [(item["metric"], float(item["value"][1])) for item in result]

    def query_range(self, expr, start, end, step):
        """[(labels, [(time, value)])]"""
        result = self.get("query_range", query=expr, start=start, end=end, step=step)["result"]
        return [(item["metric"], [(time, float(value)) for time, value in item["values"]]) for item in result]

    def alerts(self):
        return self.get("alerts")["alerts"]

    def get(self, what, **parameters):
        """Raises OSError if there is no answer, ValueError with Prometheus' words if it refuses."""
        url = f"{self.url}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as refusal:
            raise ValueError(f"Prometheus refuses {parameters.get('query', what)}: {json.load(refusal)['error']}") from None
