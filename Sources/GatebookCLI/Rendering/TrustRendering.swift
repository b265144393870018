internal import Gatebook

/// What an account trusts as `trust list` and `trust revoke` print it.
struct TrustRendering {
  /// One thing that is trusted, or shown.
  private struct Entry {
    let type: String
    var key: KeyHash?
    var exception: TrustException?
    var file: String?
    var privateKey: String?
  }

  private let entries: [Entry]

  init(_ trust: Trust) {
    var entries: [Entry] = []
    if case .file(let path) = trust.authorities {
      entries.append(Entry(type: "authorities", file: path))
    }
    entries += trust.pins.map { Entry(type: "pin", key: $0) }
    entries += trust.exceptions.map { Entry(type: "accepted", key: $0.key, exception: $0) }
    if let client = trust.client {
      entries.append(
        Entry(type: "client", file: client.certificate, privateKey: client.key))
    }
    self.entries = entries
  }

  /// One line each; a message when there is nothing but the machine's authorities.
  @MainActor func print(_ output: Output) {
    guard !output.isJSON else {
      for entry in entries { output.json(Self.json(entry)) }
      return
    }
    guard !entries.isEmpty else {
      return output.message("Only this machine's certificate authorities are trusted.")
    }
    // A key that is cut can be compared with nothing.
    var table = TextTable(
      [
        .whole("what"), "server", TableColumn("accepted defects", .wrapped(atLeast: 16)),
        TableColumn("key or file", .wrapped(atLeast: 52)),
      ], givesUp: ["key or file", "accepted defects"])
    for entry in entries {
      table.add([
        TextTable.Cell(entry.type), TextTable.Cell(entry.exception.map(Self.server) ?? ""),
        TextTable.Cell(Self.defectsText(entry), .warning),
        TextTable.Cell(entry.key?.description ?? entry.file ?? ""),
      ])
    }
    output.table(table)
  }

  private static func json(_ entry: Entry) -> JSON {
    .present([
      "type": .text(entry.type), "key": entry.key.map { .text($0.description) },
      "host": entry.exception.map { .text($0.host) },
      "port": entry.exception.map { .integer(Int64($0.port)) },
      "defects": entry.exception == nil ? nil : .list(defects(entry).map(JSON.text)),
      "file": entry.file.map(JSON.text), "privateKey": entry.privateKey.map(JSON.text),
    ])
  }

  private static func server(_ exception: TrustException) -> String {
    Origin(scheme: "https", host: exception.host, port: exception.port).description
  }

  /// The two that are always accepted together are alternatives: a server shows one of them, and an
  /// error names that one.
  private static func defectsText(_ entry: Entry) -> String {
    let names = defects(entry)
    let pair = AcceptedKey.usual.sorted.map(\.rawValue)
    guard pair.allSatisfy(names.contains) else { return names.joined(separator: ", ") }
    let others = names.filter { !pair.contains($0) }
    return ([pair.joined(separator: " or ")] + others).joined(separator: ", ")
  }

  private static func defects(_ entry: Entry) -> [String] {
    entry.exception?.defects.sorted.map(\.rawValue) ?? []
  }
}
