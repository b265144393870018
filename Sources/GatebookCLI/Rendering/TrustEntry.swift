internal import Gatebook

/// One thing that an account trusts, or shows, as `trust list` and `trust revoke` print it.
struct TrustEntry {
  private let type: String
  private var key: KeyHash?
  private var exception: TrustException?
  private var file: String?
  private var privateKey: String?

  private static func all(_ trust: Trust) -> [TrustEntry] {
    var entries: [TrustEntry] = []
    if case .file(let path) = trust.authorities {
      entries.append(TrustEntry(type: "authorities", file: path))
    }
    entries += trust.pins.map { TrustEntry(type: "pin", key: $0) }
    entries += trust.exceptions.map { TrustEntry(type: "accepted", key: $0.key, exception: $0) }
    return entries
      + (trust.client.map {
        [TrustEntry(type: "client", file: $0.certificate, privateKey: $0.key)]
      } ?? [])
  }

  /// One line each; a message when there is nothing but the machine's authorities.
  @MainActor static func print(_ trust: Trust, _ output: Output) {
    let entries = all(trust)
    guard !output.tells(programs: entries.map(\.json)) else { return }
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
        TextTable.Cell(entry.type), TextTable.Cell(entry.server),
        TextTable.Cell(entry.defectsText, .warning),
        TextTable.Cell(entry.key?.description ?? entry.file ?? ""),
      ])
    }
    output.table(table)
  }

  private var json: JSON {
    .present([
      "type": .text(type), "key": key.map { .text($0.description) },
      "host": exception.map { .text($0.host) },
      "port": exception.map { .integer(Int64($0.port)) },
      "defects": exception == nil ? nil : .list(defects.map(JSON.text)),
      "file": file.map(JSON.text), "privateKey": privateKey.map(JSON.text),
    ])
  }

  private var server: String {
    exception.map { Origin(scheme: "https", host: $0.host, port: $0.port).description } ?? ""
  }

  private var defects: [String] { exception?.defects.sorted.map(\.rawValue) ?? [] }

  /// The two that are always accepted together are alternatives: a server shows one of them, and an
  /// error names that one.
  private var defectsText: String {
    let pair = AcceptedKey.usual.sorted.map(\.rawValue)
    guard pair.allSatisfy(defects.contains) else { return defects.joined(separator: ", ") }
    let others = defects.filter { !pair.contains($0) }
    return ([pair.joined(separator: " or ")] + others).joined(separator: ", ")
  }
}
