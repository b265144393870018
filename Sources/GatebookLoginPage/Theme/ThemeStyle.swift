internal import GatebookSystem

/// The stylesheet of a theme.
enum ThemeStyle {
  /// Checks a stylesheet, and puts its pictures into it.
  ///
  /// - Parameters:
  ///   - text: The stylesheet.
  ///   - file: Its name.
  ///   - pictures: The theme's pictures.
  /// - Returns: The stylesheet with its pictures.
  /// - Throws: `ThemeFault` for what loads something from elsewhere.
  static func checked(
    _ text: String, _ file: String, _ pictures: ThemePictures
  ) throws(ThemeFault) -> String {
    var lines: [String] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if Pattern("@import", ignoresCase: true).match(in: line) != nil {
        throw ThemeFault("`@import` loads another stylesheet.", in: file, line: number + 1)
      }
      // Braces would be a gap of the template, and this tag the end of the style.
      if line.contains("{{") || Pattern("</style", ignoresCase: true).match(in: line) != nil {
        throw ThemeFault("A stylesheet has no `{{` and no `</style`.", in: file, line: number + 1)
      }
      let address = Pattern("url[(] *[\"']?([^)\"']*)[\"']? *[)]", ignoresCase: true)
      for match in address.matches(in: line) {
        let name = String(match[1] ?? "")
        guard name.hasPrefix("data:image/") || pictures.address(of: name) != nil else {
          throw ThemeFault(
            "`url(\(name))` is not a picture of the theme.", in: file, line: number + 1)
        }
      }
      lines.append(
        address.replace(in: String(line)) { match in
          pictures.address(of: String(match[1] ?? "")).map { "url(\"\($0)\")" }
            ?? String(match.whole)
        })
    }
    return lines.joined(separator: "\n")
  }
}
