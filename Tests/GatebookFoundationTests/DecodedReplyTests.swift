import Foundation
import Gatebook
import GatebookFoundation
import GatebookTestSupport
import Testing

/// The answer to an app's request, decoded into the app's own types.
@Suite struct DecodedReplyTests {
  private struct Line: Codable, Equatable {
    var id: Int
    var state: String
  }

  @Test func `an answer is decoded into the app's type`() async throws {
    let web = try await WebBook(200, #"[{"id":1,"state":"idle","more":[]}]"#)
    let request = HTTPRequest.get(try WebBook.page())
    let lines = try await web.book.send(request, as: web.ada.account, decoding: [Line].self)
    #expect(lines == [Line(id: 1, state: "idle")])
    // The current account.
    #expect(try await web.book.send(request, decoding: [Line].self).count == 1)
  }

  @Test(arguments: [
    (200, "<html>", FailureCode.contentUnexpected), (204, "", .contentUnexpected),
    (200, "{}", .contentUnexpected), (200, #"[{"id":"x"}]"#, .contentUnexpected),
    (200, #"[{"id":1.5,"state":"a"}]"#, .contentUnexpected),
    (401, #"[{"id":1,"state":"idle"}]"#, .serverRefused),
    (403, #"[{"id":1,"state":"idle"}]"#, .serverRefused),
    (404, "<html>", .configurationInvalid), (418, "[]", .serverRefused),
    (429, "[]", .serverUnavailable), (500, "[]", .serverUnavailable),
  ])
  func `the status is looked at first, then the shape`(
    _ status: Int, _ body: String, _ code: FailureCode
  ) async throws {
    let web = try await WebBook(status, body)
    #expect(try await web.failure(decoding: [Line].self)?.code == code)
    #expect(try await web.book.context(of: web.ada.account).state.isUsable)
  }

  @Test func `a redirect to elsewhere is not decoded`() async throws {
    let web = try await WebBook(302, "[]", HTTPField("Location", "https://elsewhere.example/"))
    #expect(try await web.failure(decoding: [Line].self)?.code == .serverMoved)
  }

  @Test(arguments: [
    (#"[{"id":1,"state":"a"},{"id":"cipher","state":"b"}]"#, "1.id"), (#"[{"id":1}]"#, "0.state"),
    (#"[{"id":1,"state":null}]"#, "0.state"), (#"[{"id":true,"state":"a"}]"#, "0.id"),
    (#"[[]]"#, "0"),
  ])
  func `an answer of another shape names the place and no value`(
    _ body: String, _ place: String
  ) async throws {
    let error = try await WebBook(200, body).failure(decoding: [Line].self)
    #expect(error?.code == .contentUnexpected)
    #expect(error?.message.contains(": \(place).") == true, "\(String(describing: error))")
    #expect(error?.description.contains("cipher") == false)
  }

  @Test(arguments: ["99999999999999999999", "1.5", "1e19", "-9223372036854775809"])
  func `a number that does not fit is an error, never cut, and is not shown`(
    _ number: String
  ) async throws {
    let error = try await WebBook(200, #"[{"id":\#(number),"state":"a"}]"#)
      .failure(decoding: [Line].self)
    #expect(error?.code == .contentUnexpected)
    #expect(error?.description.contains(number) == false)
  }

  @Test(arguments: ["1.0", "12e2", "-0.0", "9223372036854775807"])
  func `a whole number may be written in any way`(_ number: String) async throws {
    let web = try await WebBook(200, "[\(number)]")
    let values = try await web.book.send(.get(WebBook.page()), decoding: [Int].self)
    #expect(values == [Int(exactly: Double(number) ?? 0) ?? .max])
  }

  @Test func `names that a server chose are shown only as far as they are plain`() async throws {
    let error = try await WebBook(200, #"{"ada@example.test":{"level":"x"}}"#)
      .failure(decoding: [String: [String: Int]].self)
    #expect(error?.message.contains(": (…).level.") == true)
  }

  @Test(arguments: [
    #"{"a":1,"a":1}"#, #"{"a":1,}"#, "{'a':1}", "{\"a\":01}", "{\"a\":NaN}", "[1] 2", "",
    String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
  ])
  func `what readers of JSON do not agree about is refused`(_ body: String) {
    let reply = HTTPReply(status: 200, body: Array(body.utf8))
    let error = #expect(throws: GatebookError.self) {
      try reply.decoded(as: [String: Int].self)
    }
    #expect(error?.code == .contentUnexpected)
    #expect(error?.message.contains("not valid JSON") == true)
  }

  @Test func `tens of thousands of members are decoded, and no more than that`() throws {
    func members(_ count: Int) -> String {
      (0..<count).reversed().map { "\"\($0 + 100_000)\":\($0)" }.joined(separator: ",")
    }
    let reply = HTTPReply(status: 200, body: Array("{\(members(1 << 16))}".utf8))
    let page = try reply.decoded(as: [String: Int].self)
    #expect(page.count == 1 << 16)
    #expect(page["100007"] == 7)
    #expect(page["165535"] == 65_535)
    let many = HTTPReply(status: 200, body: Array("{\(members((1 << 16) + 1))}".utf8))
    #expect(throws: GatebookError.self) { try many.decoded(as: [String: Int].self) }
  }

  @Test func `a byte order mark is no error`() throws {
    let reply = HTTPReply(status: 200, body: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8))
    #expect(try reply.decoded(as: [Int].self) == [1])
  }

  @Test func `a decoder can say how dates and names are written`() async throws {
    struct Item: Decodable, Equatable { var madeAt: Date }
    let web = try await WebBook(200, #"{"made_at":"1970-01-01T00:00:01Z"}"#)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let item = try await web.book.send(
      .get(WebBook.page()), decoding: Item.self, decoder: decoder)
    #expect(item == Item(madeAt: Date(timeIntervalSince1970: 1)))
  }

  @Test func `a type's own check is reported without its words`() throws {
    struct Even: Decodable {
      struct Odd: Error {}
      init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(Int.self) % 2 == 0 else { throw Odd() }
      }
    }
    let reply = HTTPReply(status: 200, body: Array("3".utf8))
    let error = #expect(throws: GatebookError.self) { try reply.decoded(as: Even.self) }
    #expect(error?.cause == "rejected by the type's own check")
    #expect(error?.status == 200)
  }

  @Test func `no 401 of a page ends a gateway session`() async throws {
    let web = try await WebBook(401, "")
    #expect(try await web.failure(decoding: Int.self)?.code == .serverRefused)
    #expect(try await web.book.context(of: web.ada.account).state == .active)
    #expect(web.transport.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test func `without an account nothing is sent`() async throws {
    let web = try await WebBook(200, "1")
    try await web.book.erase(web.ada.account)
    let count = web.transport.requests.count
    let error = await #expect(throws: GatebookError.self) {
      try await web.book.send(.get(WebBook.page()), decoding: Int.self)
    }
    #expect(error?.code == .sessionRefused)
    #expect(web.transport.requests.count == count)
  }
}
