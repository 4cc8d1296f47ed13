"""Tags in HTTP requests, through a real server and client of Python's own."""

import http.client
import http.server
import threading
import unittest

import lightcone


class Baggage(unittest.TestCase):
    def test_a_tag_goes_through_a_server(self):
        server_process = lightcone.Process("server")
        self.addCleanup(server_process.close)
        senders = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                tag = lightcone.tag_in_baggage(self.headers.get("baggage", ""))
                senders.append(server_process.receive(tag, "request"))
                self.send_response(200)
                answer = server_process.send(senders[-1] or None, "response")
                self.send_header("baggage", lightcone.baggage_with_tag(answer))
                self.end_headers()

            def log_message(self, *words):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with lightcone.Process("client") as client:
            connection = http.client.HTTPConnection(*server.server_address)
            tag = client.send("server")
            connection.request("GET", "/", headers={
                "baggage": lightcone.baggage_with_tag(tag, "userId=alice")})
            response = connection.getresponse()
            sender = client.receive(lightcone.tag_in_baggage(response.getheader("baggage")))
            connection.close()
        server.shutdown()
        thread.join()
        server.server_close()
        self.assertEqual((senders, sender), (["client"], "server"))
