internal import GatebookAuthentication

@testable internal import GatebookCurl

extension Route {
  static let ada = Route(pool: "ada")
  static let bob = Route(pool: "bob")
  /// Ada's, with the permission to go without TLS.
  static let permitted = {
    var route = Route.ada
    route.allowsCleartext = true
    return route
  }()
}

extension CurlTransport {
  static func forTests() -> CurlTransport {
    CurlTransport(userAgent: nil)
  }

  func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPReply {
    try await send(request, through: .ada)
  }

  /// Why a request has no answer; `nil` when it has one.
  func failure(of request: HTTPRequest, through route: Route = .ada) async -> TransportFailure? {
    do throws(TransportFailure) {
      _ = try await send(request, through: route)
      return nil
    } catch {
      return error
    }
  }
}

let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
