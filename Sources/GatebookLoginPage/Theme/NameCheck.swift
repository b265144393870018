internal import Gatebook
internal import GatebookSystem

/// Checks the names of a theme's template: that it has those it needs, and no others.
enum NameCheck {
  /// Refuses a template with which a screen would lack something.
  ///
  /// - Parameters:
  ///   - template: The template.
  ///   - page: Its text.
  ///   - file: The file's name.
  /// - Throws: `ThemeFault` with the first fault.
  static func check(_ template: Template, _ page: String, _ file: String) throws(ThemeFault) {
    let unknown = template.lines.filter { !TemplateNames.all.contains($0.key) }
    if let (name, line) = unknown.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      throw ThemeFault("`{{\(name)}}` is not a name of the page.", in: file, line: line)
    }
    let missing =
      TemplateNames.texts.filter { !template.gaps.contains($0) }.map { "{{\($0)}}" }
      + TemplateNames.lists.filter { !template.sections.contains($0) }.map { "{{#\($0)}}" }
    guard missing.isEmpty else {
      let names = missing.joined(separator: ", ")
      throw ThemeFault("The template does not show \(names).", in: file)
    }
    let tags = Self.tags(page)
    let hasScreen = tags.contains { tag in
      tag.name == "input" && tag.attributes["type"]?.lowercased() == "hidden"
        && tag.attributes["name"] == "screen" && tag.attributes["value"] == "{{screen}}"
    }
    guard hasScreen else {
      throw ThemeFault(
        "`{{screen}}` belongs into `<input type=\"hidden\" name=\"screen\" value=\"{{screen}}\">`.",
        in: file, line: template.lines["screen"])
    }
    for name in ["input", "button"] {
      guard tags.contains(where: { $0.name == name && $0.attributes["name"] == "{{name}}" }) else {
        throw ThemeFault("It has no `<\(name) name=\"{{name}}\">`.", in: file)
      }
    }
  }

  /// The tags with the gaps in their attributes; sections and comments are left out.
  private static func tags(_ page: String) -> [HTMLTag] {
    let gap = Pattern("[{][{] *([^}]*)[}][}]")
    return HTMLTag.all(
      in: gap.replace(in: page) { match in
        let name = (match[1] ?? "").filter { $0 != " " }
        return name.first.map { "#^/!".contains($0) } == true ? "" : "{{\(name)}}"
      })
  }
}
