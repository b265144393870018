import GatebookCurl
import GatebookFakes
import GatebookStore
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What programs of one book tell each other of what a server publishes.
@Suite struct KeptDocumentTests {
  private let world: TestBook
  private let book: SessionBook
  private let other: SessionBook
  private let line: PublishedDocuments.Line

  init() async throws {
    world = try TestBook()
    book = try await world.open(CurlTransport())
    other = try await world.open(CurlTransport())
    line = PublishedDocuments.Line(
      url: try #require(HTTPURL("https://auth.example/keys")), trust: .system)
  }

  private func answer(_ word: String, _ fields: [HTTPField] = []) -> HTTPReply {
    HTTPReply(status: 200, fields: fields, body: Array("{\"keys\":\"\(word)\"}".utf8))
  }

  /// What becomes of a request: `sent`, the answer that will do, or the code of its failure.
  private func passage(
    of book: SessionBook, _ recall: Recall, within limit: Duration = .milliseconds(200)
  ) async -> String {
    do throws(TransportFailure) {
      switch try await book.pass(line, recall, within: limit) {
      case .go: return "sent"
      case .recalled(let reply): return String(decoding: reply.body, as: UTF8.self)
      }
    } catch {
      return error.error.code.rawValue
    }
  }

  /// Demands the document; when that was.
  private func demand(_ book: SessionBook) async throws -> Timestamp {
    guard case .go(let asked) = try await book.pass(line, spacing, within: .seconds(1)) else {
      throw GatebookError(.preconditionFailed, "It was not sent.", remedy: "")
    }
    return asked
  }

  private let spacing = Recall.within(.seconds(30))

  @Test func `an answer that was asked for earlier is older, whenever it comes`() async throws {
    let early = world.clock.now().wall
    world.clock.advance(by: .seconds(1))
    let late = try await demand(other)
    await other.end(line, late, with: answer("new"), isSent: true)
    world.clock.advance(by: .seconds(1))
    await book.end(line, early, with: answer("old"), isSent: true)
    for program in [book, other] {
      #expect(await passage(of: program, .always) == #"{"keys":"new"}"#)
      #expect(await passage(of: program, spacing) == #"{"keys":"new"}"#)
    }
  }

  @Test func `an answer that comes later replaces the one before`() async throws {
    for word in ["one", "two"] {
      world.clock.advance(by: .seconds(1))
      await book.end(line, world.clock.now().wall, with: answer(word), isSent: true)
      #expect(await passage(of: other, .always) == "{\"keys\":\"\(word)\"}")
    }
  }

  @Test func `nobody waits for a demand that came to nothing`() async throws {
    let asked = try await demand(book)
    await book.end(line, asked, with: HTTPReply(status: 500), isSent: true)
    let begun = SuspendingClock.now
    for program in [book, other] {
      #expect(await passage(of: program, spacing, within: .seconds(5)) == "server.unavailable")
    }
    #expect(begun.duration(to: .now) < .seconds(4))
    world.clock.advance(by: .seconds(31))
    #expect(await passage(of: other, spacing) == "sent")
    #expect(await passage(of: book, spacing) == "server.unavailable", "it is on its way")
  }

  @Test func `what is too large to be kept each fetches for itself`() async throws {
    let asked = try await demand(book)
    let large = answer(String(repeating: "x", count: 70_000))
    await book.end(line, asked, with: large, isSent: true)
    #expect(await passage(of: other, spacing) == "sent")
  }

  @Test func `a demand that was not made takes back no other one`() async throws {
    let first = try await demand(book)
    world.clock.advance(by: .seconds(31))
    _ = try await demand(other)
    await book.end(line, first, with: nil, isSent: false)
    let third = try await world.open(CurlTransport())
    #expect(await passage(of: third, spacing) == "server.unavailable")
  }

  @Test func `facts in the clear make no answer fresher than its server has said`()
    async throws
  {
    let fields = [HTTPField("Cache-Control", "max-age=60")]
    await book.end(line, world.clock.now().wall, with: answer("a", fields), isSent: true)
    try await book.freshen(line)
    #expect(await passage(of: other, .whileFresh) == #"{"keys":"a"}"#)
    world.clock.advance(by: .seconds(61))
    #expect(await passage(of: other, .whileFresh) == "sent")
  }
}

extension SessionBook {
  /// Has a document count as fresh for ever, as who writes into the file without its key can.
  fileprivate func freshen(_ line: PublishedDocuments.Line) async throws(GatebookError) {
    let known = try reader.document(line.parts)
    var append = Append([])
    append.vault = [
      .keepDocument(
        known.name, fresh: Timestamp(rawValue: 1 << 60), content: known.kept?.content ?? [],
        after: known.kept?.sealed)
    ]
    try await commit(append)
  }
}
