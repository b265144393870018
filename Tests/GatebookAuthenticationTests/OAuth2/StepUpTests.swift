import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct StepUpTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let status: Int
    let field: String
    var body = ""
    let demand: StepUp?
    var testDescription: String { "\(status) \(field)" }
  }

  private static let strong = "insufficient_user_authentication"

  static let rows: [Row] = [
    // RFC 9470 section 3.
    Row(
      status: 401, field: "Bearer error=\"\(strong)\", acr_values=\"myACR\"",
      demand: StepUp(contextClasses: ["myACR"])),
    Row(
      status: 401, field: "Bearer error=\"\(strong)\", max_age=\"5\"",
      demand: StepUp(maximumAge: .seconds(5))),
    Row(
      status: 401,
      field: "DPoP error=\"\(strong)\", acr_values=\"a b\", max_age=0, scope=\"x y\"",
      demand: StepUp(contextClasses: ["a", "b"], maximumAge: .zero, scopes: ["x", "y"])),
    Row(status: 401, field: "Bearer error=\"\(strong)\"", demand: StepUp()),
    Row(status: 401, field: "Bearer error=\"\(strong)\", max_age=\"soon\"", demand: StepUp()),
    Row(status: 401, field: "Bearer error=\"\(strong)\", max_age=\"-1\"", demand: StepUp()),
    Row(
      status: 401, field: "Bearer error=\"\(strong)\", max_age=\"99999999999999999999\"",
      demand: StepUp()),
    Row(
      status: 401, field: "Bearer error=\"\(strong)\", acr_values=\"\", max_age=\"\", scope=\" \"",
      demand: StepUp()),
    Row(
      status: 401, field: "Basic realm=\"x\"", body: "{\"error\":\"\(strong)\"}", demand: StepUp()),
    // RFC 6750 section 3.1.
    Row(
      status: 403, field: "Bearer error=\"insufficient_scope\", scope=\"a b\"",
      demand: StepUp(scopes: ["a", "b"])),
    Row(
      status: 403, field: "Basic realm=\"x\"", body: "{\"error\":\"insufficient_scope\"}",
      demand: StepUp()),
    Row(
      status: 403, field: "Bearer error=\"insufficient_scope\", scope=\"a\\\"b\"",
      demand: StepUp()),
    // "SHOULD respond with the HTTP 403": some do not.
    Row(
      status: 401, field: "Bearer error=\"insufficient_scope\", scope=\"a\"",
      demand: StepUp(scopes: ["a"])),
    Row(status: 401, field: "", body: "{\"error\":\"insufficient_scope\"}", demand: StepUp()),
    Row(status: 403, field: "Bearer error=\"\(strong)\", acr_values=\"a\"", demand: nil),
    Row(status: 401, field: "Bearer error=\"invalid_token\"", demand: nil),
    Row(status: 200, field: "Bearer error=\"insufficient_scope\"", demand: nil),
  ]

  @Test(arguments: rows)
  func `an answer says what it wants`(_ row: Row) {
    let reply = HTTPReply.answer(row.status, ["WWW-Authenticate": row.field], body: row.body)
    let demand = StepUp(reply)
    #expect(demand == row.demand)
    if let demand { #expect(StepUp(record: demand.record) == demand) }
  }

  @Test func `scopes that are missing are distinguished from a login that is too weak`() {
    for row in Self.rows {
      let reply = HTTPReply.answer(row.status, ["WWW-Authenticate": row.field], body: row.body)
      let isAboutScopes = (row.field + row.body).contains("insufficient_scope")
      #expect(StepUp.isAboutScopes(reply) == (isAboutScopes && row.demand != nil), "\(row)")
    }
  }

  @Test func `it ends no session and renews none`() throws {
    let proof = try IdentityServer.outcome().proof
    let request = HTTPRequest.get(try .at("https://issuer.example/x"))
    for row in Self.rows where row.demand != nil {
      let reply = HTTPReply.answer(row.status, ["WWW-Authenticate": row.field], body: row.body)
      #expect(proof.judge(reply, to: request) == .unaffected, "\(row)")
      #expect(proof.demand(in: reply) == row.demand)
    }
  }

  // MARK: The login

  private func stepUp(_ demand: StepUp) throws -> LoginMethod {
    try IdentityServer.outcome().proof.stepUp(to: demand, redirectURI: IdentityServer.callback)
  }

  @Test func `the page is asked for what is wanted`() throws {
    let method = try stepUp(
      StepUp(contextClasses: ["gold", "silver"], maximumAge: .seconds(5), scopes: ["safe"]))
    #expect(method.opensPage)
    #expect(method.person.userID == "248289761001")
    var dialogue = Dialogue(method)
    try dialogue.play([])
    if dialogue.opened == nil { try dialogue.hand(in: .reply(IdentityServer.metadata())) }
    let fields = try IdentityServer.page(dialogue)
    #expect(fields["acr_values"] == "gold silver")
    #expect(fields["max_age"] == "5")
    #expect(fields["scope"] == "openid profile safe")
  }

  @Test(arguments: [
    ([:], "login.unprovable"), (["acr": "\"bronze\""], "login.unprovable"),
    (["acr": "\"silver\""], "login.unprovable"),
    (["acr": "\"silver\"", "auth_time": "0"], "login.unprovable"),
    (["acr": "\"silver\"", "auth_time": "now"], "GET https://issuer.example/me"),
    (["acr": "\"gold\"", "auth_time": "now"], "GET https://issuer.example/me"),
  ])
  func `what comes of it must come up to it`(_ claims: [String: String], _ end: String) throws {
    let method = try stepUp(
      StepUp(contextClasses: ["gold", "silver"], maximumAge: .seconds(300)))
    let now = "\(Dialogue.moment.wall.rawValue / 1_000_000)"
    var told: [String: String?] = claims.mapValues { $0 == "now" ? now : $0 }
    var dialogue = Dialogue(method)
    try dialogue.play([])
    if dialogue.opened == nil { try dialogue.hand(in: .reply(IdentityServer.metadata())) }
    told["nonce"] = "\"\(try #require(try IdentityServer.page(dialogue)["nonce"]))\""
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let token = try TokenMint().idToken(told)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    #expect(ending(dialogue, [.reply(try IdentityServer.keys())]) == end)
  }

  @Test func `the resulting session has no open demand`() throws {
    let method = try stepUp(StepUp(scopes: ["profile"]))
    var dialogue = Dialogue(method)
    try dialogue.play([])
    if dialogue.opened == nil { try dialogue.hand(in: .reply(IdentityServer.metadata())) }
    let nonce = "\"\(try #require(try IdentityServer.page(dialogue)["nonce"]))\""
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let token = try TokenMint().idToken(["nonce": nonce])
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    try dialogue.hand(in: .reply(IdentityServer.keys()))
    try dialogue.hand(in: .reply(IdentityServer.userInfo))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.record["login"]?.object?["demand"] == nil)
  }

  @Test func `fewer scopes than demanded are none`() throws {
    let method = try stepUp(StepUp(scopes: ["safe"]))
    var dialogue = Dialogue(method)
    try dialogue.play([])
    if dialogue.opened == nil { try dialogue.hand(in: .reply(IdentityServer.metadata())) }
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let granted = IdentityServer.granted(["scope": "\"openid profile\""])
    #expect(ending(dialogue, [.reply(granted)]) == "scope.missing")
  }
}
