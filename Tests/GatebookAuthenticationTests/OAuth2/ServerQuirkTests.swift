import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// What the servers of the guides answer, as their documentation prints it, and what Gatebook takes
/// it for.
///
/// The pages were read on 2026-11-26. Where a page prints no status, the usual ones are tried.
struct ServerQuirkTests {
  private typealias Server = PlainServer

  /// What was asked.
  enum Step: Sendable {
    case code, refresh, device, deviceCode
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let server: String
    let step: Step
    let statuses: [Int]
    let body: String
    let end: String

    init(_ server: String, _ step: Step, _ statuses: [Int], _ body: String, _ end: String) {
      (self.server, self.step, self.statuses) = (server, step, statuses)
      (self.body, self.end) = (body, end)
    }

    var testDescription: String { "\(server), \(step): \(body.prefix(60))" }
  }

  /// The device code is asked about again.
  private static let waits = "POST \(PlainServer.site)/token"

  private static func error(_ code: String) -> String { "{\"error\":\"\(code)\"}" }

  // Issues 37961 of Keycloak (https://github.com/keycloak/keycloak/issues/37961) and 57 of a client
  // (https://github.com/fa-fifi/keycloak_wrapper/issues/57); Keycloak's guides print no such
  // answer.
  private static let keycloak = ["Token is not active", "Session not active"].map {
    Row(
      "Keycloak", .refresh, [400],
      "{\"error\":\"invalid_grant\",\"error_description\":\"\($0)\"}", "token.refused")
  }

  // "Microsoft identity platform and OAuth 2.0 authorization code flow",
  // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
  private static let badScope = """
    {"error": "invalid_scope", "error_description": "AADSTS70011: The provided value for the input \
    parameter 'scope' is not valid. The scope https://foo.microsoft.com/mail.read is not valid.\\r\\n\
    Trace ID: 0000aaaa-11bb-cccc-dd22-eeeeee333333\\r\\nCorrelation ID: \
    aaaa0000-bb11-2222-33cc-444444dddddd\\r\\nTimestamp: 2016-01-09 02:02:12Z", \
    "error_codes": [70011], "timestamp": "2016-01-09 02:02:12Z", \
    "trace_id": "0000aaaa-11bb-cccc-dd22-eeeeee333333", \
    "correlation_id": "aaaa0000-bb11-2222-33cc-444444dddddd"}
    """
  private static let entra = [
    Row("Entra", .code, [400], badScope, "configuration.invalid"),
    Row("Entra", .refresh, [400], badScope, "configuration.invalid"),
    Row("Entra", .code, [400], error("invalid_grant"), "code.refused"),
    Row("Entra", .refresh, [400], error("invalid_grant"), "token.refused"),
    Row("Entra", .refresh, [400], error("interaction_required"), "token.refused"),
    Row("Entra", .refresh, [400], error("consent_required"), "token.refused"),
    Row("Entra", .refresh, [400, 401], error("invalid_client"), "configuration.invalid"),
    Row("Entra", .refresh, [400], error("invalid_resource"), "server.refused"),
    Row("Entra", .refresh, [400], error("temporarily_unavailable"), "server.refused"),
    Row("Entra", .refresh, [503], error("temporarily_unavailable"), "server.unavailable"),
    // "Microsoft identity platform and the OAuth 2.0 device authorization grant flow",
    // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-device-code
    Row("Entra", .device, [400], error("authorization_pending"), waits),
    Row("Entra", .device, [400], error("authorization_declined"), "challenge.cancelled"),
    Row("Entra", .device, [400], error("bad_verification_code"), "code.refused"),
    Row("Entra", .device, [400], error("expired_token"), "challenge.timedOut"),
  ]

  // "Common errors" of the Google Ads API,
  // https://developers.google.com/google-ads/api/docs/get-started/common-errors
  private static let google = [(Step.refresh, "token.refused"), (.code, "code.refused")].map {
    Row(
      "Google", $0.0, [400],
      "{\"error\":\"invalid_grant\",\"error_description\":\"Token has been expired or revoked.\"}",
      $0.1)
  }

  // "Troubleshooting OAuth app access token request errors",
  // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
  private static let wrongClient = """
    {"error": "incorrect_client_credentials", "error_description": "The client_id and/or \
    client_secret passed are incorrect.", "error_uri": "/apps/managing-oauth-apps/\
    troubleshooting-oauth-app-access-token-request-errors/#incorrect-client-credentials"}
    """
  private static let gitHub = [
    Row("GitHub", .code, [200, 400], wrongClient, "configuration.invalid"),
    Row(
      "GitHub", .code, [200, 400],
      """
      {"error": "redirect_uri_mismatch", "error_description": "The redirect_uri MUST match the \
      registered callback URL for this application.", "error_uri": "/apps/managing-oauth-apps/\
      troubleshooting-authorization-request-errors/#redirect-uri-mismatch2"}
      """, "configuration.invalid"),
    Row(
      "GitHub", .code, [200, 400],
      """
      {"error": "bad_verification_code", "error_description": "The code passed is incorrect or \
      expired.", "error_uri": "/apps/managing-oauth-apps/\
      troubleshooting-oauth-app-access-token-request-errors/#bad-verification-code"}
      """, "code.refused"),
    Row("GitHub", .code, [200, 400], error("unverified_user_email"), "code.refused"),
    Row("GitHub", .refresh, [200], wrongClient, "content.unexpected"),
    Row("GitHub", .refresh, [400], wrongClient, "configuration.invalid"),
    // No page prints this one: other programs know it.
    Row("GitHub", .refresh, [200, 400], error("bad_refresh_token"), "token.refused"),
    // "Authorizing OAuth apps", error codes for the device flow,
    // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
    Row("GitHub", .device, [200, 400], error("authorization_pending"), waits),
    Row("GitHub", .device, [200, 400], "{\"error\":\"slow_down\",\"interval\":10}", waits),
    Row("GitHub", .device, [200, 400], error("expired_token"), "challenge.timedOut"),
    Row("GitHub", .device, [200, 400], error("token_expired"), "challenge.timedOut"),
    Row("GitHub", .device, [200, 400], error("access_denied"), "challenge.cancelled"),
    Row("GitHub", .device, [200, 400], error("incorrect_device_code"), "code.refused"),
    Row("GitHub", .device, [200, 400], error("unsupported_grant_type"), "configuration.invalid"),
    Row("GitHub", .device, [200, 400], wrongClient, "configuration.invalid"),
    Row("GitHub", .device, [200, 400], error("device_flow_disabled"), "configuration.invalid"),
    Row("GitHub", .deviceCode, [200, 400], error("device_flow_disabled"), "configuration.invalid"),
    Row("GitHub", .deviceCode, [200, 400], wrongClient, "configuration.invalid"),
  ]

  // "Device code flow", https://docs.goauthentik.io/add-secure-apps/providers/oauth2/device_code/
  private static let authentik = [
    Row("authentik", .device, [400], error("authorization_pending"), waits)
  ]

  // "OAuth 2.0 identity provider API", https://docs.gitlab.com/api/oauth2/; the refused grant:
  // https://gitlab.com/gitlab-org/gitlab/-/issues/36221
  private static let refusedGrant = """
    {"error":"invalid_grant","error_description":"The provided authorization grant is invalid, \
    expired, revoked, does not match the redirection URI used in the authorization request, or was \
    issued to another client."}
    """
  private static let gitLab =
    [
      ("authorization_pending", waits), ("slow_down", waits),
      ("expired_token", "challenge.timedOut"), ("access_denied", "challenge.cancelled"),
    ].map {
      Row(
        "GitLab", .device, [400], "{\"error\": \"\($0.0)\", \"error_description\": \"...\"}", $0.1)
    } + [
      Row("GitLab", .refresh, [400, 401], refusedGrant, "token.refused"),
      Row("GitLab", .code, [400, 401], refusedGrant, "code.refused"),
    ]

  @Test(arguments: keycloak + entra + google + gitHub + authentik + gitLab)
  func `an answer that a server's documentation prints means what the guide says`(
    _ row: Row
  ) throws {
    for status in row.statuses {
      let dialogue = try Self.dialogue(row.step)
      #expect(ending(dialogue, [.reply(.json(status, row.body))]) == row.end, "\(status)")
    }
  }

  // MARK: What is granted

  /// GitHub: "Authorizing OAuth apps" says that it answers in form encoding unless JSON is asked
  /// for, and shows commas between scopes.
  @Test func `GitHub is asked for JSON, and its scopes are read`() throws {
    var dialogue = try Self.dialogue(.code)
    let request = try #require(dialogue.requests.last)
    #expect(request.field("Accept") == "application/json")
    let body = try #require(FormFields(decoding: request.body))
    #expect(body["client_id"] == "app" && body["client_secret"] == "s3cret-word")
    try dialogue.hand(
      in: .reply(
        .json(
          200,
          """
          {"access_token":"gho_16C7e42F292c6912E7710c838347Ae178B4a","scope":"repo,gist",\
          "token_type":"bearer"}
          """)))
    #expect(
      dialogue.requests.last?.field("Authorization")
        == "Bearer gho_16C7e42F292c6912E7710c838347Ae178B4a")
    try dialogue.hand(in: .reply(.answer(200)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.missingScopes.isEmpty)
    #expect(outcome.lifetime == nil && outcome.proof.renewal(jar: outcome.jar) == nil)
  }

  /// GitHub: "Refreshing user access tokens" names all members of the answer.
  ///
  /// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
  @Test func `a GitHub App's token is valid for eight hours, and can be refreshed`() throws {
    let outcome = try Server.outcome(
      granted: .json(
        200,
        """
        {"access_token":"ghu_a","expires_in":28800,"refresh_token":"ghr_b",\
        "refresh_token_expires_in":15811200,"scope":"","token_type":"bearer"}
        """))
    #expect(outcome.lifetime == .seconds(28_800) && outcome.proof.renewal(jar: outcome.jar) != nil)
    #expect(outcome.proof.fingerprinted == Secret("ghr_b"))
  }

  /// GitHub: "Authorizing OAuth apps" says that the answer names the new interval.
  @Test(arguments: [("", 10), (",\"interval\":10", 10), (",\"interval\":30", 30)])
  func `the interval that GitHub names is kept`(_ member: String, _ seconds: Int) throws {
    var dialogue = try Self.dialogue(.device)
    try dialogue.hand(in: .reply(.json(200, "{\"error\":\"slow_down\"\(member)}")))
    #expect(dialogue.waits.last == .seconds(seconds))
  }

  /// GitLab: "OAuth 2.0 identity provider API": both tokens are new after a refresh.
  @Test func `GitLab's new refresh token replaces the old one`() throws {
    var dialogue = try Self.dialogue(.refresh)
    try dialogue.hand(
      in: .reply(
        .json(
          200,
          """
          {"access_token": "c97d1fe52119f38c7f67f0a14db68d60caa35ddc86fd12401718b649dcfa9c68",
          "token_type": "bearer", "expires_in": 7200, "refresh_token":
          "803c1fd487fec35562c205dac93e9d8e08f9d3652a24079d704df3039df1158f",
          "created_at": 1628711391}
          """)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.lifetime == .seconds(7200))
    #expect(
      outcome.proof.fingerprinted
        == Secret("803c1fd487fec35562c205dac93e9d8e08f9d3652a24079d704df3039df1158f"))
  }

  /// GitLab: "OAuth 2.0 identity provider API": the answer to the device flow has no refresh token.
  @Test func `what GitLab's device flow grants cannot be renewed`() throws {
    var dialogue = try Self.dialogue(.device)
    try dialogue.hand(
      in: .reply(
        .json(
          200,
          """
          {"access_token": "TOKEN", "token_type": "Bearer", "expires_in": 7200, "scope": "read",
          "created_at": 1593096829}
          """)))
    try dialogue.hand(in: .reply(.answer(200)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.lifetime == .seconds(7200) && outcome.proof.renewal(jar: outcome.jar) == nil)
  }

  // MARK: The way there

  /// A login or renewal that waits for the answer to a step.
  private static func dialogue(_ step: Step) throws -> Dialogue {
    switch step {
    case .code:
      var dialogue = Dialogue(
        try Server.method(
          .code(redirectURI: IdentityServer.callback), .post(Secret("s3cret-word")),
          scopes: ["repo", "gist"], user: "ada"))
      try dialogue.play([.answer(401)])
      try dialogue.redirect(("code", "c0de"), ("state", "s"))
      return dialogue
    case .refresh: return try .renewal(of: Server.outcome().proof)
    case .device:
      var dialogue = try self.dialogue(.deviceCode)
      // The codes of "Authorizing OAuth apps".
      try dialogue.hand(
        in: .reply(
          .json(
            200,
            """
            {"device_code":"3584d83530557fdd1f46af8289938c8ef79f9dc5","user_code":"WDJB-MJHT",
            "verification_uri":"https://github.com/login/device","expires_in":900,"interval":5}
            """)))
      try dialogue.hand(in: .proceed)
      try dialogue.hand(in: .proceed)
      return dialogue
    case .deviceCode:
      var dialogue = Dialogue(try Server.method(.device, user: "ada"))
      try dialogue.play([.answer(401)])
      return dialogue
    }
  }
}
