public import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// The heads that a verification found, to keep outside of the fleet.
///
/// Who writes to a fleet's database can replace a whole history together with the key that it
/// names, cut it at an earlier checkpoint, or remove it. Only heads that were kept elsewhere show
/// that:
///
/// ```swift
/// let kept = try FleetHeads(text: text)
/// let verdict = try await FleetVerifier(access).verify(against: kept)
/// if verdict.ok { text = verdict.heads(keeping: kept).text }
/// ```
///
/// They hold no secrets, but names of machines.
public struct FleetHeads: Hashable, Sendable {
  /// The head of one history.
  public struct Head: Hashable, Sendable {
    /// The book.
    public let book: BookID
    /// The history: 0 for the first one.
    public let branch: Int
    /// The name of the machine; `nil` where it was not told.
    public let machine: String?
    /// The public key that the history names, 64 hexadecimal digits; `nil` where it names none.
    public let key: String?
    /// The position of the last event.
    public let size: Int64
    /// The root of the events, 64 hexadecimal digits; `nil` where it was not known.
    public let root: String?
  }

  private struct Place: Hashable {
    let book: BookID
    let branch: Int
  }

  private let places: [Place: Head]

  /// Takes heads; of two of the same history the last one counts.
  init(_ heads: [Head]) {
    places = Dictionary(heads.map { (Place(book: $0.book, branch: $0.branch), $0) }) { $1 }
  }

  /// All of them, by their books and branches.
  public var heads: [Head] {
    places.values.sorted { ($0.book, $0.branch) < ($1.book, $1.branch) }
  }

  /// The head of a history; `nil` where there is none.
  func head(of book: BookID, branch: Int) -> Head? {
    places[Place(book: book, branch: branch)]
  }

  // MARK: Text

  /// What the first line says, so that nobody takes another file for one.
  private static let format = "gatebook fleet heads 1"

  /// One line of JSON for each head, after a line that counts them.
  public var text: String {
    let heads = heads
    let first: Facts = ["format": .text(Self.format), "histories": .integer(Int64(heads.count))]
    let lines = [first] + heads.map(\.facts)
    return lines.map { String(decoding: $0.encoded, as: UTF8.self) + "\n" }.joined()
  }

  /// Reads what ``text`` wrote.
  ///
  /// - Parameter text: The whole text.
  /// - Throws: `configuration.invalid` for another text, one that was changed in its form, and one
  ///   that lacks lines.
  public init(text: String) throws(GatebookError) {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.popLast()?.isEmpty == true,
      let first = lines.first.flatMap({ Facts(decoding: $0) }),
      first["format"]?.text == Self.format, let count = first["histories"]?.integer
    else { throw Self.invalid("was not written by Gatebook, or was cut") }
    guard count == Int64(lines.count - 1) else {
      throw Self.invalid("has \(lines.count - 1) of \(count) lines")
    }
    var heads: [Head] = []
    for (number, line) in lines.dropFirst().enumerated() {
      guard let head = Facts(decoding: line).flatMap({ Head($0) }) else {
        throw Self.invalid("is damaged in line \(number + 2)")
      }
      heads.append(head)
    }
    self.init(heads)
    guard places.count == heads.count else {
      throw Self.invalid("names a history twice")
    }
  }

  private static func invalid(_ what: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The file of kept heads \(what).",
      kept: "Nothing was verified, and the file was not changed.",
      remedy: "Give the file as `gatebook fleet verify --write-heads FILE` wrote it.")
  }
}

extension FleetHeads.Head {
  /// Reads a line; `nil` for what no verification writes.
  fileprivate init?(_ facts: Facts) {
    guard let book = facts["book"]?.text.flatMap({ BookID($0) }),
      let branch = facts["branch"]?.integer, (0...Int64(Int32.max)).contains(branch),
      let size = facts["size"]?.integer, (0...Checkpoint.maximumSize).contains(size)
    else { return nil }
    for name in ["key", "root"] {
      guard let value = facts[name] else { continue }
      guard let bytes = value.text.flatMap({ Hex.decode($0) }), bytes.count == 32 else {
        return nil
      }
    }
    if let machine = facts["machine"], machine.text == nil { return nil }
    self.init(
      book: book, branch: Int(branch), machine: facts["machine"]?.text,
      key: facts["key"]?.text?.lowercased(), size: size,
      root: facts["root"]?.text?.lowercased())
  }

  fileprivate var facts: Facts {
    var facts: Facts = [
      "book": .text(book.description), "branch": .integer(Int64(branch)), "size": .integer(size),
    ]
    facts["machine"] = machine.map { .text($0) }
    facts["key"] = key.map { .text($0) }
    facts["root"] = root.map { .text($0) }
    return facts
  }
}
