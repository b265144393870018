/// The URLs that get credentials without having asked for them.
///
/// Source: RFC 7617 section 2.2: all paths at or deeper than the depth of the last symbolic element
/// of the path that was authenticated. Elsewhere on the origin nobody knows which realm applies.
package struct ProtectionSpace: Hashable, Sendable {
  /// The server.
  package let origin: Origin
  /// The path that all others start with; begins and ends with `/`.
  package let folder: String

  /// The space that a URL which asked for credentials shows.
  package init(around url: HTTPURL) {
    origin = url.origin
    let end = url.path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? url.path.startIndex
    folder = String(url.path[...end])
  }

  /// The space of a server that has a path of its own, with or without its last `/`.
  package init(below server: HTTPURL) {
    origin = server.origin
    folder = server.path.hasSuffix("/") ? server.path : server.path + "/"
  }

  /// Whether a URL belongs to the space.
  package func contains(_ url: HTTPURL) -> Bool {
    url.origin == origin
      && (url.path.utf8.starts(with: folder.utf8) || url.path + "/" == folder)
  }
}
