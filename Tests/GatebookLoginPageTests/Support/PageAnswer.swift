import Gatebook

/// What a login page's port answered.
struct PageAnswer: Sendable {
  let status: Int
  let fields: [HTTPField]
  let body: String

  init?(_ text: String) {
    // CR and LF are one character of Swift.
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let lines = parts[0].split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    self.status = status
    fields = lines.dropFirst().map { line in
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPField(String(halves[0]), halves.count > 1 ? String(halves[1].dropFirst()) : "")
    }
    body = String(parts[1])
  }

  /// The page that it is.
  var page: ShownPage { ShownPage(html: body) }

  /// Whether another screen comes without the person's doing.
  var isBusy: Bool { body.contains("<meta name=\"gatebook-busy\"") }

  /// The value of a field; `nil` for none.
  func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
