import Gatebook
import GatebookFakes
import Testing

@Suite struct ForeignMethodTests {
  /// A proof that no restart could find again.
  private struct ForeignProof: SessionProof {
    static let method = "foreign"
    let origin: Origin
    var record: Facts { [:] }

    init(origin: Origin) { self.origin = origin }

    init?(record: Facts) { nil }

    func authorise(
      _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
    ) -> HTTPRequest {
      request
    }

    func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict { .unaffected }

    func verification(jar: CookieJar) -> any Authenticator {
      ForeignAuthenticator(origin: origin)
    }
  }

  private struct ForeignAuthenticator: Authenticator {
    let origin: Origin

    mutating func next(_ input: Input) throws(GatebookError) -> Step {
      .finish(
        Outcome(
          person: Person(family: "foreign", server: origin, userID: "ada", loginName: "ada"),
          evidence: .identity, attributes: UserAttributes(), proof: ForeignProof(origin: origin),
          jar: CookieJar()))
    }
  }

  @Test func `a session that no restart could read back does not begin`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let origin = Origin(scheme: "http", host: "127.0.0.1", port: 8080)
    let method = LoginMethod(
      name: "foreign",
      person: Person(family: "foreign", server: origin, userID: "ada", loginName: "ada"),
      origin: origin
    ) { ForeignAuthenticator(origin: origin) }
    let error = await #expect(throws: GatebookError.self) { try await book.logIn(method) }
    #expect(error?.code == .configurationInvalid)
    #expect(try await book.accounts().isEmpty)
    #expect(try world.kinds() == ["book.created", "login.started", "login.failed"])
  }
}
