internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct LiferayAnswerTests {
  private static func exception(
    _ message: String, _ type: String
  ) -> String {
    """
    {"error":{"message":"\(message)","type":"\(type)"},"exception":"\(message)",\
    "throwable":"\(type): \(message)"}
    """
  }

  private static let rows: [(String, HTTPReply, LiferayAnswer)] = [
    ("401 with anything", .page(401), .unauthorised),
    ("401 with JSON", .json(401, "{\"exception\":\"x\"}"), .unauthorised),
    ("301", .redirect(to: "/x", status: 301), .moved),
    ("302", .redirect(to: "/x"), .moved),
    ("303", .redirect(to: "/x", status: 303), .moved),
    ("307", .redirect(to: "/x", status: 307), .moved),
    ("308", .redirect(to: "/x", status: 308), .moved),
    ("a batch", .json(200, "[{}]"), .results([.object([:])])),
    ("a bare object", .json(200, "{\"a\":1}"), .results([.object(["a": .integer(1)])])),
    (
      "JSON of another label", .answer(200, ["Content-Type": "text/html"], body: "[{}]"),
      .results([.object([:])])
    ),
    (
      "6.2: a guest", .json(200, "{\"exception\":\"Authenticated access required\"}"),
      .accessDenied
    ),
    (
      "6.2: another exception", .json(200, "{\"exception\":\"java.lang.RuntimeException\"}"),
      .exception
    ),
    ("an exception inside a batch", .json(200, "[{},{\"exception\":\"outer\"}]"), .exception),
    (
      "7: a guest", .json(403, exception("Access denied to a.B#c", "java.lang.SecurityException")),
      .accessDenied
    ),
    (
      "7: no permission", .json(403, exception("no", "a.security.auth.PrincipalException")),
      .accessDenied
    ),
    (
      "7: denied without a type", .json(403, "{\"exception\":\"Access denied to a.B#c\"}"),
      .accessDenied
    ),
    (
      "7: no token",
      .json(403, exception("User 1 session does not have a CSRF token for a.B", "x")),
      .tokenMissing
    ),
    (
      "7: no token, by type",
      .json(403, exception("no", "a.PrincipalException$MustHaveSessionCSRFToken")),
      .tokenMissing
    ),
    (
      "no token, as a page", .page(403, "User 1 session does not have a CSRF token for a.B"),
      .tokenMissing
    ),
    ("403 of something else", .json(403, exception("no", "a.OddException")), .exception),
    ("403 as a page", .page(403), .forbidden),
    ("7: no such user", .json(404, exception("No User", "a.b.NoSuchUserException")), .notFound),
    ("7: no such group", .json(404, exception("No Group", "a.b.NoSuchGroupException")), .notFound),
    (
      "7: no such service",
      .json(404, exception("No JSON web service", "a.NoSuchJSONWebServiceException")),
      .serviceMissing
    ),
    ("404 of something else", .json(404, exception("x", "a.Odd")), .exception),
    ("no portal here", .page(404), .misplaced),
    ("no POST here", .answer(405), .misplaced),
    ("7: an exception", .json(500, exception("outer", "java.lang.RuntimeException")), .unavailable),
    ("500 as a page", .page(500), .unavailable),
    ("503", .answer(503), .unavailable),
    ("429", .answer(429), .unavailable),
    ("a login page", .page(200), .unexpectedContent),
    ("nothing", .answer(200), .unexpectedContent),
    ("a number", .json(200, "7"), .unexpectedContent),
    ("cut JSON", .json(200, "[{\"userId\":"), .unexpectedContent),
    ("204", .answer(204), .unexpectedContent),
    ("201 with JSON", .json(201, "[{}]"), .unexpectedContent),
    ("400 with an exception", .json(400, "{\"exception\":\"x\"}"), .exception),
    ("418", .answer(418), .refused),
  ]

  @Test(arguments: rows)
  func `every answer has one class`(
    _ name: String, _ reply: HTTPReply, _ answer: LiferayAnswer
  ) {
    #expect(LiferayAnswer(reply) == answer)
  }

  @Test(arguments: [
    ("v62_status_200_flat", 200, LiferayAnswer.accessDenied),
    ("v70plus_403_guest", 403, .accessDenied),
    ("v70plus_404_no_such_user", 404, .notFound),
    ("v70plus_500_with_root_cause", 500, .unavailable),
  ])
  func `recorded exceptions are known`(
    _ name: String, _ status: Int, _ answer: LiferayAnswer
  ) throws {
    #expect(LiferayAnswer(.json(status, try PortalFixture.exception(name))) == answer)
  }
}
