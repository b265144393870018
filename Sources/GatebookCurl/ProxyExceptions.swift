internal import GatebookAuthentication
internal import GatebookSystem

/// The servers that the environment's proxy does not serve: what `no_proxy` lists.
///
/// Read as libcurl reads it: names and their domains, with or without a dot before them, addresses
/// and their networks (`10.0.0.0/8`), separated by commas and blanks; `*` alone means everybody.
struct ProxyExceptions {
  private let isEverybody: Bool
  private let entries: [Substring]

  init(_ list: String) {
    isEverybody = list.utf8.elementsEqual("*".utf8)
    entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  func contains(_ server: Origin) -> Bool {
    guard !isEverybody else { return true }
    if let address = IPAddress(server.host)?.bytes {
      return entries.contains { Self.network($0, holds: address) }
    }
    let name = Self.labels(server.host)
    return entries.contains { entry in
      let domain = Self.labels(entry)
      return !domain.isEmpty && name.suffix(domain.count).elementsEqual(domain)
    }
  }

  /// A name's labels in lower case, without the dots at its ends.
  private static func labels(_ name: some StringProtocol) -> [[UInt8]] {
    name.lowercased().utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
  }

  private static func network(_ entry: Substring, holds address: [UInt8]) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let text = parts[0].hasPrefix("[") ? parts[0].dropFirst().prefix { $0 != "]" } : parts[0]
    guard let base = IPAddress(text)?.bytes, base.count == address.count else {
      return false
    }
    guard parts.count == 2 else { return base == address }
    guard let bits = Int(parts[1]), (0...(8 * base.count)).contains(bits) else { return false }
    return zip(base, address).enumerated().allSatisfy { index, pair in
      let rest = min(max(bits - 8 * index, 0), 8)
      return (pair.0 ^ pair.1) >> (8 - rest) == 0
    }
  }
}
