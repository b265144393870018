internal import Testing

@testable internal import GatebookCurl

struct TLSTextTests {
  @Test(arguments: [
    ("error:0A00045C:SSL routines::tlsv13 alert certificate required", 116, "certificate_required"),
    (
      "OpenSSL SSL_read: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0", 48,
      "unknown_ca"
    ),
    (
      "OpenSSL/3.0.2: error:0A000410:SSL routines::sslv3 alert handshake failure", 40,
      "handshake_failure"
    ),
    ("error:0A0004C7:SSL routines::reason(1223)", 223, "alert_223"),
  ])
  func `an alert is found in libcurl's words`(_ words: String, _ number: Int, _ name: String) throws
  {
    let alert = try #require(TLSAlert(words: words))
    #expect(alert.number == number)
    #expect(alert.name == name)
  }

  @Test(arguments: [
    "", "error:", "error:0A", "error:zz:", "Connection reset by peer",
    "error:0A00010B:SSL routines::wrong version number",
    "error:80000068:system library::Connection reset by peer",
    "error:0A0004FFFFFFFFFFFFFFFFFFFFFF:SSL routines::",
  ])
  func `other words hold no alert`(_ words: String) {
    #expect(TLSAlert(words: words) == nil)
  }

  @Test
  func `TLS that broke is distinguished from a network that broke`() {
    #expect(TLSFailure(words: "error:0A00010B:SSL routines::wrong version number") != nil)
    #expect(TLSFailure(words: "error:0A000126:SSL routines::unexpected eof while reading") == nil)
    #expect(TLSFailure(words: "error:80000068:system library::Connection reset by peer") == nil)
    #expect(TLSFailure(words: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL") == nil)
  }
}
