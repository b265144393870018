internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// Reports of the Problem Reporting extension.
struct OAuth1ProblemTests {
  private func code(_ fields: [String], body: String = "") -> String? {
    OAuth1Problem(
      HTTPReply(
        status: 401, fields: fields.map { HTTPField("WWW-Authenticate", $0) },
        body: Array(body.utf8)))?.code
  }

  @Test(arguments: [
    ("oauth_problem=timestamp_refused", "timestamp_refused"),
    ("oauth_problem=nonce_used&oauth_problem_advice=x%20y\n", "nonce_used"),
    ("oauth_problem_advice=y", nil), ("oauth_problem=", nil), ("oauth_problem=Not+a+code", nil),
    ("oauth_problem=\u{1B}[2J", nil), ("", nil), ("<html>oauth_problem</html>", nil),
  ])
  func `a report in the body is read`(_ body: String, _ code: String?) {
    #expect(self.code([], body: body) == code)
  }

  @Test(arguments: [
    (["OAuth realm=\"r\", oauth_problem=\"token_revoked\""], "token_revoked"),
    (["Basic realm=\"b\", oauth realm=\"r\", oauth_problem=token_expired"], "token_expired"),
    (["Basic realm=\"b\"", "OAuth oauth_problem=\"signature_invalid\""], "signature_invalid"),
    (["Basic oauth_problem=\"nonce_used\""], nil), (["OAuth realm=\"r\""], nil), (["OAuth"], nil),
  ])
  func `a report in the header is read`(_ fields: [String], _ code: String?) {
    #expect(self.code(fields) == code)
  }

  @Test
  func `the header comes before the body`() {
    let fields = ["OAuth oauth_problem=\"token_revoked\""]
    #expect(code(fields, body: "oauth_problem=nonce_used") == "token_revoked")
  }
}
