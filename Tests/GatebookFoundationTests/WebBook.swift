import Foundation
import Gatebook
import GatebookFoundation
import GatebookTestSupport
import Testing

/// A book with the session of a gateway, which gives one answer to all requests but the login;
/// removed with the last reference.
final class WebBook: Sendable {
  let book: SessionBook
  let ada: SessionContext
  let transport: ScriptedTransport
  private let folder: URL

  init(_ reply: HTTPReply) async throws {
    transport = ScriptedTransport { request, _ throws(TransportFailure) in
      guard request.method == "POST" else { return reply }
      return HTTPReply(status: 200, body: Array(#"{"sessionid":"abc"}"#.utf8))
    }
    folder = FileManager.default.temporaryDirectory.appending(
      path: "gatebook-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    book = try await SessionBook.open(
      at: folder.path + "/test.gatebook", key: MemoryKeySource(),
      program: Program(
        name: "tests", version: "1", installation: InstallationID(high: 1, low: 2)),
      transport: transport, clock: FixedClock(), renewalPolicy: .beforeUse, network: nil)
    ada = try await book.logIn(
      .fcsdk(
        try FCSDKGateway(server: "127.0.0.1", secure: false), user: "ada",
        password: Secret("rabbit")))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  convenience init(_ status: Int = 200, _ body: String, _ fields: HTTPField...) async throws {
    try await self.init(HTTPReply(status: status, fields: fields, body: Array(body.utf8)))
  }

  /// A page of the gateway.
  static func page(_ path: String = "/lines") throws -> HTTPURL {
    try #require(HTTPURL("http://127.0.0.1:8080\(path)"))
  }

  /// What decoding the answer throws.
  func failure<Value: Decodable>(decoding type: Value.Type) async throws -> GatebookError? {
    let page = HTTPRequest.get(try Self.page())
    do throws(GatebookError) {
      _ = try await book.send(page, as: ada.account, decoding: type)
      return nil
    } catch {
      return error
    }
  }
}
