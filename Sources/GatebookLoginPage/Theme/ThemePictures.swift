internal import Gatebook

/// The pictures of a theme, as they are put into a page.
struct ThemePictures {
  private static let types = [
    "gif": "image/gif", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
    "svg": "image/svg+xml", "webp": "image/webp",
  ]

  private let files: [String: [UInt8]]

  init(_ files: [String: [UInt8]]) {
    self.files = files
  }

  /// A picture in the page itself (RFC 2397); `nil` for no picture of the theme.
  ///
  /// - Parameter name: Its file's name, as the template or the stylesheet writes it.
  /// - Returns: A `data:` URL.
  func address(of name: String) -> String? {
    // Without quotes, blanks may follow.
    var bare = name[...]
    while bare.last == " " { bare.removeLast() }
    let name = String(bare.hasPrefix("./") ? bare.dropFirst(2) : bare)
    guard let bytes = files[name],
      let ending = name.split(separator: ".").last?.lowercased(),
      let type = Self.types[ending]
    else { return nil }
    return "data:\(type);base64,\(Base64.encode(bytes))"
  }
}
