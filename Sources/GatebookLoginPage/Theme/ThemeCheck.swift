internal import Gatebook
internal import GatebookSystem

/// Checks the HTML of a theme, and makes one document of the theme.
///
/// The page's policy would stop a script or a picture from elsewhere in any case. The check says so
/// to the theme's author, before a person sees a page that lacks something.
enum ThemeCheck {
  private static let forbidden: [String: String] = [
    "script": "has a script", "iframe": "shows another page", "frame": "shows another page",
    "object": "shows another page", "embed": "shows another page",
    "base": "changes what addresses mean", "style": "has a style outside of the stylesheet",
    "animate": "changes attributes", "animatemotion": "changes attributes",
    "animatetransform": "changes attributes", "set": "changes attributes",
    // What is in these is read as text, or not read at all.
    "noembed": "hides markup", "noframes": "hides markup", "noscript": "hides markup",
    "plaintext": "hides markup", "template": "hides markup", "textarea": "hides markup",
    "xmp": "hides markup",
  ]

  /// Where an attribute names an address.
  private static let addresses: Set<String> = [
    "action", "background", "cite", "data", "formaction", "href", "manifest", "ping", "poster",
    "src", "srcset", "xlink:href",
  ]

  /// Refuses what a theme must not have.
  ///
  /// - Parameters:
  ///   - page: The template.
  ///   - file: Its name.
  ///   - sheet: The stylesheet's name.
  ///   - pictures: The theme's pictures.
  /// - Throws: `ThemeFault` with the first fault.
  static func check(
    _ page: String, _ file: String, _ sheet: String, _ pictures: ThemePictures
  ) throws(ThemeFault) {
    var hasSheet = false
    let plain = try markup(of: page, file)
    if let comment = plain.firstRange(of: "<!--") {
      throw ThemeFault(
        "A comment of a template is `{{! ... }}`.", in: file, line: line(of: comment, in: plain))
    }
    let title = Pattern("<title[^>]*>[^<]*</title").match(in: plain.lowercased())
    guard title != nil else { throw ThemeFault("It has no `<title>` with a text.", in: file) }
    for (number, line) in tags(of: plain) {
      for tag in HTMLTag.all(in: line) {
        if let fault = try self.fault(tag, sheet, pictures, &hasSheet) {
          throw ThemeFault(fault, in: file, line: number)
        }
      }
    }
    guard hasSheet else {
      throw ThemeFault("It has no `<link rel=\"stylesheet\" href=\"\(sheet)\">`.", in: file)
    }
    for part in ["</head>", "</body>"] where !page.contains(part) {
      throw ThemeFault("It has no `\(part)`.", in: file)
    }
    let forms = HTMLTag.all(in: plain).filter { $0.name == "form" }
    guard forms.count == 1, forms[0].attributes["method"]?.lowercased() == "post" else {
      throw ThemeFault("It must have one form, which is `<form method=\"post\">`.", in: file)
    }
    if let mark = page.firstRange(of: "{{{") ?? page.firstRange(of: "{{&") {
      throw ThemeFault(
        "`{{{` and `{{&` would show markup of others.", in: file, line: line(of: mark, in: page))
    }
  }

  /// Where a gap was.
  private static let gap = "\u{FFFC}"

  /// The markup without its sections and comments, and with a mark where a gap is; each tag keeps
  /// its line.
  private static func markup(of page: String, _ file: String) throws(ThemeFault) -> String {
    var result = ""
    var rest = page[...]
    while let open = rest.firstRange(of: "{{") {
      result += rest[..<open.lowerBound]
      let close = rest[open.upperBound...].firstRange(of: "}}")
      let inner = rest[open.upperBound..<(close?.lowerBound ?? rest.endIndex)]
      if inner.first.map({ "#^/!".contains($0) }) != true {
        if result.hasSuffix("<") || result.hasSuffix("</") {
          let number = result.utf8.count { $0 == UInt8(ascii: "\n") } + 1
          throw ThemeFault("`<{{` makes a tag of a text.", in: file, line: number)
        }
        result += gap
      }
      result += String(repeating: "\n", count: inner.utf8.count { $0 == UInt8(ascii: "\n") })
      rest = rest[(close?.upperBound ?? rest.endIndex)...]
    }
    return result + rest
  }

  private static func line(of range: Range<String.Index>, in page: String) -> Int {
    page[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
  }

  /// The tags as they are written, with the line in which each begins.
  private static func tags(of page: String) -> [(line: Int, text: String)] {
    var line = 1
    var found: [(Int, String)] = []
    var rest = page[...]
    while let open = rest.firstIndex(of: "<") {
      line += rest[..<open].utf8.count(where: { $0 == UInt8(ascii: "\n") })
      rest = rest[open...]
      let tag = rest[..<(end(ofTag: rest.dropFirst()) ?? rest.endIndex)]
      found.append((line, tag + ">"))
      line += tag.utf8.count(where: { $0 == UInt8(ascii: "\n") })
      rest = rest[tag.endIndex...]
      if tag.isEmpty { break }
    }
    return found
  }

  /// Where a tag ends: what is between quotes is a value.
  private static func end(ofTag text: Substring) -> Substring.Index? {
    var quote: Character?
    return text.firstIndex { character in
      if let open = quote {
        if character == open { quote = nil }
        return false
      }
      if character == "\"" || character == "'" { quote = character }
      return character == ">" || character == "<"
    }
  }

  private static func fault(
    _ tag: HTMLTag, _ sheet: String, _ pictures: ThemePictures, _ hasSheet: inout Bool
  ) throws(ThemeFault) -> String? {
    if let what = forbidden[tag.name] {
      return "A theme \(what), which the page does not allow: <\(tag.name)>."
    }
    if tag.name == "meta", tag.attributes["http-equiv"] != nil {
      return "`<meta http-equiv>` is the page's own affair."
    }
    for (name, value) in tag.attributes.sorted(by: { $0.key < $1.key }) {
      if name.hasPrefix("on") {
        return "`\(name)` is a script, which the page does not allow."
      }
      if name == "style" { return "`style` belongs into the stylesheet." }
      if name == "formmethod" { return "A button of a theme has no `formmethod`." }
      guard addresses.contains(name) else { continue }
      if value.contains(gap) { return "`\(name)` is no place for a value of the page." }
      if tag.name == "link" {
        if tag.attributes["rel"] == "icon", value.hasPrefix("data:") { continue }
        guard tag.attributes["rel"] == "stylesheet", value == sheet else {
          return "`<link>` names \(value), which is not the theme's stylesheet."
        }
        hasSheet = true
        continue
      }
      guard
        value.isEmpty || value.hasPrefix("#") || value.hasPrefix("data:image/")
          || name == "src" && pictures.address(of: value) != nil
      else {
        return name == "src"
          ? "`\(value)` is not a picture of the theme." : "`\(name)` leads elsewhere: \(value)."
      }
      if ["action", "formaction"].contains(name) {
        return "A form of a theme has no `\(name)`: it is sent to the page."
      }
    }
    return nil
  }

  /// One document of the template, its stylesheet and its pictures, with the page's own script.
  static func assembled(_ page: String, _ style: String, _ pictures: ThemePictures) -> String {
    let source = Pattern(
      "src=(\"([^\"{}]+)\"|'([^'{}]+)'|([^\"'{}> \t\r\n]+))", ignoresCase: true)
    let shown = source.replace(in: page) { match in
      pictures.address(of: String(match[2] ?? match[3] ?? match[4] ?? ""))
        .map { "src=\"\($0)\"" } ?? String(match.whole)
    }
    // Without it a browser asks for a picture of its own.
    let icon = Pattern("<link[^>]*rel=\"?icon", ignoresCase: true)
    let head =
      (icon.match(in: page) == nil ? "<link rel=\"icon\" href=\"data:,\">" : "")
      + "{{#isDone}}<meta name=\"gatebook-done\" content=\"yes\">{{/isDone}}"
      + "{{#isBusy}}<meta name=\"gatebook-busy\" content=\"yes\">"
      + "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>{{/isBusy}}"
      + "{{#showPassword}}<meta name=\"gatebook-show\" content=\"{{showPassword}}\">"
      + "<meta name=\"gatebook-hide\" content=\"{{hidePassword}}\">{{/showPassword}}</head>"
    let whole = shown.replacing("</head>", with: head)
      .replacing("</body>", with: "<script>\(PageScript.text)</script></body>")
    // Last: the page's policy names the style as it is.
    return Pattern("<link[^>]*rel=[\"']?stylesheet[^>]*>", ignoresCase: true)
      .replace(in: whole) { _ in "<style>\(style)</style>" }
  }
}
