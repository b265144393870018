import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookAuthentication

/// How an application shows who it is, by what its server lists.
struct ListedClientTests {
  private typealias Way = OAuth2Application.Authentication

  private static let secret = Secret("s3cret-word")

  private func asked(
    _ way: OAuth2Application.Authentication, listed: String?
  ) throws -> Dialogue {
    var dialogue = Dialogue(
      try IdentityServer.method(.clientCredentials, IdentityServer.application(way)))
    try dialogue.play([
      IdentityServer.metadata(["token_endpoint_auth_methods_supported": listed])
    ])
    return dialogue
  }

  @Test(
    arguments: [
      (nil, true), ("[\"client_secret_post\"]", false),
      ("[\"client_secret_post\",\"client_secret_basic\"]", true),
      ("[\"private_key_jwt\",\"client_secret_post\"]", false), ("[\"private_key_jwt\"]", true),
      ("[]", true), ("null", true),
    ] as [(String?, Bool)])
  func `a secret goes the way that the server lists, else by Basic`(
    _ listed: String?, _ isBasic: Bool
  ) throws {
    let request = try #require(try asked(.secret(Self.secret), listed: listed).requests.last)
    let form = try #require(FormFields(decoding: request.body))
    #expect((request.field("Authorization") != nil) == isBasic)
    #expect((form["client_secret"] == "s3cret-word") == !isBasic)
    #expect((form["client_id"] == "gatebook") == !isBasic)
  }

  @Test func `a way that was set is used whatever the server lists`() throws {
    let request = try #require(
      try asked(.post(Self.secret), listed: "[\"client_secret_basic\"]").requests.last)
    #expect(FormFields(decoding: request.body)?["client_secret"] == "s3cret-word")
  }

  @Test func `without metadata it is Basic`() throws {
    var dialogue = Dialogue(
      try PlainServer.method(.clientCredentials, .secret(Self.secret), checkURL: nil))
    try dialogue.play([])
    #expect(dialogue.requests.last?.field("Authorization")?.hasPrefix("Basic ") == true)
  }

  @Test func `it survives the vault`() throws {
    let kept = try #require(Way(record: Way.secret(Self.secret).record))
    guard kept.isListed, case .client(_, let secret) = kept.way else {
      Issue.record("it is another way")
      return
    }
    #expect(secret == Self.secret)
  }

  @Test func `an empty secret is refused before anything is sent`() throws {
    var dialogue = Dialogue(
      try IdentityServer.method(
        .clientCredentials, IdentityServer.application(.secret(Secret("")))))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  private func refusal(
    _ way: OAuth2Application.Authentication, listed: String?, _ reply: HTTPReply
  ) throws -> GatebookError? {
    var dialogue = try asked(way, listed: listed)
    do throws(GatebookError) {
      try dialogue.hand(in: .reply(reply))
      return nil
    } catch {
      return error
    }
  }

  private static let invalid = HTTPReply.json(401, "{\"error\":\"invalid_client\"}")

  @Test func `a refused client whose way is not listed hears so`() throws {
    let error = try #require(
      try refusal(
        .post(Self.secret), listed: "[\"client_secret_basic\",\"<b>\",\"none\"]", Self.invalid))
    #expect(error.code == .configurationInvalid)
    #expect(error.serverCode == "invalid_client")
    #expect(error.status == 401)
    #expect(error.message.contains("client_secret_post"))
    #expect(error.message.contains("only client_secret_basic, none."))
    #expect(error.setting == "authentication")
  }

  @Test(arguments: [nil, "[\"client_secret_post\"]"] as [String?])
  func `one whose way is listed, or where nothing is, hears nothing of ways`(
    _ listed: String?
  ) throws {
    let error = try #require(try refusal(.post(Self.secret), listed: listed, Self.invalid))
    #expect(error.code == .configurationInvalid)
    #expect(error.setting == nil)
    #expect(!error.message.contains("client_secret_post"))
  }

  @Test func `another refusal is no matter of ways`() throws {
    let error = try #require(
      try refusal(
        .post(Self.secret), listed: "[\"none\"]",
        .json(400, "{\"error\":\"invalid_scope\"}")))
    #expect(error.setting == nil)
  }
}
