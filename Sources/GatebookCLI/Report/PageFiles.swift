internal import Gatebook

/// The page's own files, which are part of the program.
enum PageFiles {
  /// The frame of the page; what `{{...}}` names is put in its place.
  static let frame = PackageResources.report_html
  /// How it looks.
  static let style = PackageResources.report_css
  /// What moves in it, in an order in which each file knows those before it.
  static let script =
    PackageResources.clock_js + PackageResources.tip_js + PackageResources.lane_js
    + PackageResources.timeline_js + PackageResources.events_js + PackageResources.start_js

  /// Lets the page run its own script and style and nothing else, and ask nobody for anything.
  ///
  /// Content Security Policy Level 3, section 2.3.1: what stands in the page is known by its hash.
  static var policy: String {
    "default-src 'none'; script-src \(source(script)); style-src \(source(style)); "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func source(_ bytes: [UInt8]) -> String {
    "'sha256-\(Base64.encode(HashFunction.sha256.hash(bytes)))'"
  }
}
