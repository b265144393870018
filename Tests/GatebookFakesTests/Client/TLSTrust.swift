import GatebookFakes

/// What a test client makes of the server's certificate, and what it shows itself.
struct TLSTrust {
  /// Whom it trusts.
  var roots: [TestCertificate]
  /// The name or address that it believes to have called.
  var host = "127.0.0.1"
  /// Its own certificate.
  var identity: TestCertificate?
}
