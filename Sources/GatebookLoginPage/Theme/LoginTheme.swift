public import Gatebook
internal import GatebookCrypto
internal import GatebookSystem

/// How a ``LoginPage`` looks: a folder with one HTML template, one stylesheet and pictures.
///
/// A theme needs no script and may have none, and it loads nothing from elsewhere. The article
/// <doc:LoginPage> lists the names that a template uses.
///
/// Source: Login Screenlet, themes.
public struct LoginTheme: Sendable {
  /// The name: that of the folder.
  public let name: String
  /// The page, which has its stylesheet and its pictures in it.
  private let template: Template
  /// What a page may do (Content Security Policy Level 3): its own style, the script of
  /// ``PageScript``, pictures that are in it, and forms to itself.
  let policy: String

  /// The theme `default`: a card on a quiet background, dark or light as the desktop is.
  public static let `default` = builtIn(
    "default",
    [
      "default.html": PackageResources.default_html, "default.css": PackageResources.default_css,
      "default.svg": PackageResources.default_svg,
    ])

  /// The theme `flat7`: flat fields on a bold color.
  public static let flat7 = builtIn(
    "flat7",
    [
      "flat7.html": PackageResources.flat7_html, "flat7.css": PackageResources.flat7_css,
      "flat7.svg": PackageResources.flat7_svg, "flat7Done.svg": PackageResources.flat7Done_svg,
      "flat7Ended.svg": PackageResources.flat7Ended_svg,
    ])

  /// The themes that need no folder.
  public static let all = [`default`, flat7]

  /// Reads a theme.
  ///
  /// - Parameter folder: Its folder; files whose names begin with a dot are passed over.
  /// - Throws: `configuration.invalid` for a folder that is no theme, with the file, the line and
  ///   what is wrong.
  public init(folder: String) throws(GatebookError) {
    let path = Files.resolved(folder) ?? folder
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do throws(ThemeFault) {
      try self.init(name: name, files: try ThemeFolder.files(in: folder))
    } catch {
      throw error.refusal(of: folder)
    }
  }

  private static func builtIn(_ name: String, _ files: [String: [UInt8]]) -> LoginTheme {
    guard let theme = try? LoginTheme(name: name, files: files) else {
      preconditionFailure("the theme \(name) of Gatebook is no theme")
    }
    return theme
  }

  /// Makes a theme of its files.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - files: The files by their names.
  /// - Throws: What is wrong.
  init(name: String, files: [String: [UInt8]]) throws(ThemeFault) {
    let pictures = ThemePictures(files)
    let (sheetName, sheet) = try Self.only(".css", in: files)
    let style = try ThemeStyle.checked(sheet, sheetName, pictures)
    let (pageName, page) = try Self.only(".html", in: files)
    try ThemeCheck.check(page, pageName, sheetName, pictures)
    let written: Template
    do throws(Template.Fault) {
      written = try Template(page)
      template = try Template(ThemeCheck.assembled(page, style, pictures))
    } catch {
      throw ThemeFault(error.text, in: pageName, line: error.line)
    }
    try NameCheck.check(written, page, pageName)
    self.name = name
    policy =
      "default-src 'none'; style-src \(Self.source(style)); script-src \(Self.source(PageScript.text)); "
      + "img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  /// The page with its gaps filled: HTML.
  func page(_ values: TemplateValues) -> String { template.filled(with: values) }

  private static func source(_ text: String) -> String {
    "'sha256-\(Base64.encode(HashFunction.sha256.hash(Array(text.utf8))))'"
  }

  /// The one file with an ending.
  private static func only(
    _ ending: String, in files: [String: [UInt8]]
  ) throws(ThemeFault) -> (name: String, text: String) {
    let names = files.keys.filter { $0.lowercased().hasSuffix(ending) }.sorted()
    guard names.count == 1, let name = names.first, let bytes = files[name] else {
      let found = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw ThemeFault("A theme has exactly one file *\(ending); this one has \(found).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ThemeFault("The file is not UTF-8.", in: name)
    }
    return (name, text)
  }
}

extension LoginTheme: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
