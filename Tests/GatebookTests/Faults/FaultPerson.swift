import Gatebook
import GatebookCurl
import GatebookFakes

/// A scripted person whose browser goes past the fault proxy, straight to the server.
actor FaultPerson: Browser {
  typealias Visit = @Sendable (_ page: String) async throws -> String

  private let past: @Sendable (HTTPURL) -> String
  private let visit: Visit
  private var arrived = ""
  private(set) var pages: [String] = []

  /// - Parameters:
  ///   - proxy: The proxy's URL.
  ///   - server: The server's.
  ///   - visit: Opens a page and tells where the server sends the browser.
  init(
    past proxy: String, to server: String, visit: @escaping Visit = FaultPerson.follow
  ) {
    past = { server + $0.description.dropFirst(proxy.count) }
    self.visit = visit
  }

  func open(_ page: HTTPURL) async throws(GatebookError) {
    pages.append(page.description)
    do {
      arrived = try await visit(past(page))
    } catch {
      throw GatebookError(.challengeCancelled, "The visit failed: \(error)", remedy: "None.")
    }
  }

  func redirect() async throws(GatebookError) -> String { arrived }

  func show(_ code: DeviceCode) async throws(GatebookError) {}

  /// Opens a page of a server that asks nobody.
  static func follow(_ page: String) async throws -> String {
    guard let url = HTTPURL(page) else { return "" }
    let reply = try await CurlTransport().send(
      .get(url), through: Route(pool: "person", trust: .system))
    return reply.fields.first("Location") ?? ""
  }
}
