internal import CQRCode

/// A QR code (ISO/IEC 18004) as lines for a terminal, two rows of squares in each.
struct QRCode {
  /// The quiet zone that a reader needs around the code.
  private static let margin = 4

  private let width: Int
  private let dark: [Bool]

  /// Makes the code of a text; `nil` when libqrencode (Debian package `libqrencode4`) is missing,
  /// or the text is too long for a code.
  ///
  /// - Parameters:
  ///   - text: Such as a URL.
  ///   - library: The library's file name.
  init?(_ text: String, library: String = "libqrencode.so.4") {
    var functions = qr_functions()
    // Level L: what is on a screen is neither torn nor stained, and the code stays small.
    guard qr_functions_open(&functions, library) == nil,
      let code = functions.QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L)
    else { return nil }
    defer { functions.QRcode_free(code) }
    let width = Int(code.pointee.width)
    self.width = width
    // The lowest bit of each square says whether it is dark.
    dark = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
  }

  /// How many columns it takes.
  var columns: Int { width + 2 * Self.margin }

  /// The lines.
  ///
  /// - Parameter hasColor: Whether colours may be set: then it is black on white everywhere. Else
  ///   the light squares are drawn, which is right on a dark terminal and is read by most readers
  ///   on a light one.
  /// - Returns: Lines without their ends, all equally wide.
  func lines(hasColor: Bool) -> [String] {
    let rows = stride(from: -Self.margin, to: width + Self.margin, by: 2)
    return rows.map { row in
      let line = (-Self.margin..<width + Self.margin).map { column in
        Self.block(
          isDark(row, column) == hasColor, isDark(row + 1, column) == hasColor)
      }
      // SGR 30 and 107: black on bright white.
      return hasColor ? "\u{1B}[30;107m\(line.joined())\u{1B}[0m" : line.joined()
    }
  }

  /// What lies outside of the code is light.
  private func isDark(_ row: Int, _ column: Int) -> Bool {
    (0..<width).contains(row) && (0..<width).contains(column) && dark[row * width + column]
  }

  private static func block(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
