internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Reads the picture of a QR code off a terminal, with ZBar for eyes.
enum QRReader {
  /// The text of the only code among lines of a terminal that were drawn black on white.
  static func text(of shown: String) throws -> String {
    try text(
      ofRows: shown.split(whereSeparator: \.isNewline).compactMap { line in
        guard let start = line.firstRange(of: "\u{1B}[30;107m"),
          let end = line.firstRange(of: "\u{1B}[0m")
        else { return nil }
        return String(line[start.upperBound..<end.lowerBound])
      }, isInverse: false)
  }

  /// The text of a code whose light squares are drawn, if it is inverse.
  static func text(ofRows lines: [String], isInverse: Bool) throws -> String {
    let width = try #require(lines.first).count
    try #require(lines.allSatisfy { $0.count == width })
    var pixels: [UInt8] = []
    for line in lines {
      for halves in [["█", "▀"], ["█", "▄"]] {
        let row = line.map { halves.contains(String($0)) != isInverse ? UInt8(0) : UInt8(255) }
        let wide = row.flatMap { [UInt8](repeating: $0, count: scale) }
        for _ in 0..<scale { pixels += wide }
      }
    }
    let folder = try TemporaryFolder(named: "gatebook-qr").path
    defer { TemporaryFolder(at: folder).remove() }
    let head = "P5\n\(width * scale) \(lines.count * 2 * scale)\n255\n"
    try TextFile.write(Array(head.utf8) + pixels, to: "\(folder)/code.pgm")
    return try read("zbarimg --quiet --raw -Sdisable -Sqrcode.enable '\(folder)/code.pgm'")
  }

  /// So many pixels for each square.
  private static let scale = 4

  private static func read(_ command: String) throws -> String {
    let pipe = try #require(popen(command, "r"))
    var text: [UInt8] = []
    var byte = fgetc(pipe)
    while byte != EOF {
      text.append(UInt8(byte))
      byte = fgetc(pipe)
    }
    #expect(pclose(pipe) == 0)
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    return String(try #require(lines.first))
  }
}
