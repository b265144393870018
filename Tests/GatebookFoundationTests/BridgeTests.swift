import Foundation
import Gatebook
import GatebookFoundation
import Testing

@Suite struct BridgeTests {
  @Test(arguments: [
    0, 1, -1, 999_999, 1_767_323_045_000_001, -1_000_001, 5_000_000_000_123_456,
    -3_000_000_000_654_321,
  ])
  func `a moment becomes a date and the same moment again`(_ microseconds: Int64) {
    let moment = Timestamp(rawValue: microseconds)
    #expect(Timestamp(moment.date) == moment)
    #expect(Date(moment) == moment.date)
    #expect(abs(moment.date.timeIntervalSince1970 - Double(microseconds) / 1e6) < 1e-6)
  }

  @Test func `a date is rounded to the nearest microsecond`() {
    #expect(Timestamp(Date(timeIntervalSince1970: 1.25)).rawValue == 1_250_000)
    #expect(Timestamp(Date(timeIntervalSince1970: 0.000_000_6)).rawValue == 1)
    #expect(Timestamp(Date(timeIntervalSince1970: -0.000_001)).rawValue == -1)
    #expect(Timestamp(Date(timeIntervalSince1970: 0)).description == "1970-01-01T00:00:00.000000Z")
  }

  @Test func `a date beyond the last moment is the last moment`() {
    #expect(Timestamp(Date(timeIntervalSince1970: 1e300)).rawValue == .max)
    #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)).rawValue == .min)
    #expect(Timestamp(Date(timeIntervalSince1970: .nan)).rawValue == 0)
  }

  @Test(arguments: [
    "https://files.example/", "http://127.0.0.1:8080/a/b;c=d?e=f&g=%20h", "http://[::1]:8080/",
    "https://files.example/a%2Fb?", "https://files.example/?q=a+b",
    "https://xn--bcher-kva.example/~ada/!$&'()*+,;=:@",
  ])
  func `a URL is the same for both, character by character`(_ text: String) throws {
    let url = try #require(HTTPURL(text))
    #expect(url.url?.absoluteString == url.description)
    #expect(try HTTPURL(#require(URL(string: text))) == url)
  }

  @Test func `a URL of Foundation is read as strictly as its text`() throws {
    for text in ["ftp://files.example/", "https://ada@files.example/", "/items", "file:///etc"] {
      #expect(try HTTPURL(#require(URL(string: text))) == nil, "\(text)")
    }
    let base = URL(string: "https://files.example/a/b")
    let relative = try #require(URL(string: "../c?d#e", relativeTo: base))
    #expect(HTTPURL(relative)?.description == "https://files.example/c?d")
  }

  @Test func `bodies are data`() throws {
    var request = HTTPRequest.get(try WebBook.page())
    request.data = Data([1, 2])
    #expect(request.body == [1, 2])
    #expect(request.data == Data([1, 2]))
    var reply = HTTPReply(status: 200, body: [3])
    #expect(reply.data == Data([3]))
    reply.data = Data()
    #expect(reply.body.isEmpty)
    #expect(Secret(Data([4])) == Secret([4]))
  }

  @Test func `a body is read from the file of a URL`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "gatebook \(UUID()).txt")
    try Data("lamp".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let source = try BodySource.file(file)
    #expect(source.count == 4)
    #expect(source.canRewind)
    let page = try #require(URL(string: "https://files.example/lamp.txt"))
    let error = #expect(throws: GatebookError.self) { try BodySource.file(page) }
    #expect(error?.code == .configurationInvalid)
  }

  @Test func `Foundation shows what an error says of itself`() {
    let error = GatebookError(
      .networkUnreachable, "The server was not reached.", kept: "The session is kept.",
      remedy: "Try again.", cause: "timed out")
    #expect(error.localizedDescription == "The server was not reached. The session is kept.")
    #expect((error as any LocalizedError).failureReason == "timed out")
    #expect((error as any LocalizedError).recoverySuggestion == "Try again.")
    let plain = GatebookError(.cancelled, "It was cancelled.", remedy: "None.")
    #expect((plain as any LocalizedError).failureReason == nil)
  }
}
