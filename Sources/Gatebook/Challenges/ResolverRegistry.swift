/// Who decides about challenges of which server.
struct ResolverRegistry: Sendable {
  struct Entry: Sendable {
    let resolver: any ChallengeResolver
    let limit: Duration
  }

  private var entries: [Origin: Entry] = [:]
  private var general: Entry?

  /// The last registration wins; `nil` removes it.
  mutating func set(_ entry: Entry?, for server: Origin?) {
    if let server { entries[server] = entry } else { general = entry }
  }

  /// A server's own resolver, else the one for all.
  func entry(for server: Origin) -> Entry? { entries[server] ?? general }
}
