"""Static files in debug mode, served from the source and compressed on the fly.

A public site collects and compresses them once (``FilesAsSent``), and WhiteNoise serves the result. In
debug mode nothing is collected, and the sprites alone are some 600 KB.
"""

import gzip
from functools import lru_cache

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from carcassonne.static_files import minify_script

GAINS = ("text/", "image/svg+xml", "application/json", "application/manifest+json")
LEAST = 200  # bytes; below that GZipMiddleware leaves pages alone, too
LEVEL = 6


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise that compresses text files for clients that accept it."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponseBase:
        response = WhiteNoiseMiddleware.serve(static_file, request)
        if not response.get("Content-Type", "").startswith(GAINS):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        whole = response.status_code == 200 and request.method == "GET"
        if not whole or not re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
            return response
        return _compress_response(response)


def _compress_response(response: FileResponse) -> HttpResponseBase:
    """*response* with its body compressed, unless that is too short. The ETag stays, as with WhiteNoise's own
    compressed files, because WhiteNoise compares it."""
    body = b"".join(response)
    if response.file_to_stream:
        response.file_to_stream.close()  # not the response: Django would take the request for over
    answer = HttpResponse(body, headers=response.headers)
    if len(body) >= LEAST:
        answer.content = _gzip(body, script="javascript" in answer["Content-Type"])
        answer["Content-Encoding"] = "gzip"
        answer["Content-Length"] = str(len(answer.content))
    return answer


@lru_cache(maxsize=64)
def _gzip(body: bytes, *, script: bool) -> bytes:
    if script:
        body = minify_script(body.decode()).encode()
    return gzip.compress(body, LEVEL, mtime=0)
