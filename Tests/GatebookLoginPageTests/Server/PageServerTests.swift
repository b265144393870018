import GatebookSystem
import Testing

@testable import GatebookLoginPage

@Suite(.timeLimit(.minutes(2)))
struct PageServerTests {
  private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `an answer that is being made when the page ends arrives`() async throws {
    for _ in 0..<20 {
      let place = Locked<PageServer?>(nil)
      let server = try PageServer { _ in
        // As a page that ends when its browser asks for the last screen.
        place.withLock { $0 }?.stop()
        for _ in 0..<20 { await Task.yield() }
        return PageReply("200 OK", text: "last")
      }
      place.withLock { $0 = server }
      let connection = try PageConnection(port: Int(server.port))
      connection.send(Self.request)
      #expect(await connection.answer()?.body == "last")
      place.withLock { $0 = nil }
    }
  }

  @Test func `an answer that is never made does not keep the port open`() async throws {
    let asked = Locked(false)
    let held = Locked<CheckedContinuation<Void, Never>?>(nil)
    let server = try PageServer { _ in
      await withCheckedContinuation { continuation in
        held.withLock { $0 = continuation }
        asked.withLock { $0 = true }
      }
      return .missing
    }
    let port = Int(server.port)
    let connection = try PageConnection(port: port)
    connection.send(Self.request)
    try await wait(for: "request") { asked.withLock { $0 } }
    server.stop()
    let answer = await connection.answer()
    #expect(answer == nil)
    try await wait(for: "refused connection") { PageConnection.isRefused(port: port) }
    held.withLock { $0 }?.resume()
  }

  @Test func `a large answer arrives whole`() async throws {
    let text = String(repeating: "0123456789abcdef", count: 1 << 16)
    let server = try PageServer { _ in PageReply("200 OK", html: text) }
    let connection = try PageConnection(port: Int(server.port))
    connection.send(Self.request)
    let answer = try #require(await connection.answer())
    #expect(answer.body == text)
    #expect(answer.field("Content-Length") == "\(text.utf8.count)")
    #expect(answer.field("Connection") == "close")
    server.stop()
  }

  @Test func `a visitor that goes while its answer is made harms nobody`() async throws {
    let server = try PageServer { request in
      PageReply("200 OK", text: String(repeating: request.method, count: 1 << 16))
    }
    for _ in 0..<20 {
      try PageConnection(port: Int(server.port)).send(Self.request)
    }
    let connection = try PageConnection(port: Int(server.port))
    connection.send(Self.request)
    #expect(await connection.answer()?.status == 200)
    server.stop()
  }
}
