internal import GatebookEvents
internal import GatebookSystem

/// The pages of a book's file as they are, even if SQLite refuses it ("Database File Format",
/// sqlite.org/fileformat2.html), with the later commits of its write-ahead log.
final class RawPages {
  /// The bytes of a page.
  let size: Int
  /// The bytes of it that may hold content.
  let usable: Int
  /// How many there are.
  private(set) var count: Int64
  /// Whether the write-ahead log has more frames than can be read, or is missing: its index file
  /// exists only while the log does.
  private(set) var isLogTorn = false
  /// How many frames of the write-ahead log, from the first that is not right on, are not read:
  /// what they build on is not known.
  private(set) var unreadFrames: Int64 = 0
  /// The pages that hold more of a row that was read.
  var overflow: Set<Int64> = []
  private let file: OpenFile
  private let log: OpenFile?
  /// Where the newest committed content of pages is in the write-ahead log.
  private var newer: [Int64: Int64] = [:]

  private static let headerSize = 100
  private static let frameHeader = 24

  /// Opens a file; nothing of it has to be right.
  init(_ book: BookFile) throws(GatebookError) {
    let path = book.path
    guard let file = OpenFile.open(path, .readAtOnce) else {
      throw GatebookError(
        .storageUnreadable, "The book cannot be opened.", kept: "Nothing was changed.",
        remedy: "Check the path, the file and its permissions.",
        cause: SystemError.last.text)
    }
    self.file = file
    log = OpenFile.open(path + "-wal", .readAtOnce)
    isLogTorn = log == nil && SystemError.last == .missing && Files.exists(path + "-shm")
    let header = file.read(Self.headerSize, at: 0)
    let isRight = header.map { Array($0[..<16]) == Array("SQLite format 3\0".utf8) } ?? false
    let stated = isRight ? header.map { Int($0[16]) << 8 | Int($0[17]) } ?? 0 : 0
    let size = stated == 1 ? 65_536 : stated
    // A book has always had SQLite's usual pages.
    self.size = size >= 512 && size.nonzeroBitCount == 1 ? size : 4096
    let reserved = isRight ? header.map { Int($0[20]) } ?? 0 : 0
    usable = self.size - (reserved <= 32 ? reserved : 0)
    count = Int64(file.status?.size ?? 0) / Int64(self.size)
    readLog()
  }

  /// The content of a page, counted from 1; `nil` where it cannot be read.
  func page(_ number: Int64) -> [UInt8]? {
    if let place = newer[number] { return log?.read(size, at: place) }
    guard number >= 1, number <= count else { return nil }
    return file.read(size, at: (number - 1) * Int64(size))
  }

  /// Takes the committed frames of the write-ahead log, up to the first one that is not right.
  private func readLog() {
    guard let log, log.status?.size ?? 0 > 0 else { return }
    isLogTorn = true
    // Without its beginning nothing of it can be read.
    unreadFrames =
      log.read(Self.frameHeader, at: 32).map { countFrames(from: 32, salts: $0[8..<16]) } ?? 0
    guard let header = log.read(32, at: 0),
      Self.word(header, 0) & 0xFFFF_FFFE == 0x377F_0682, Self.word(header, 8) == UInt32(size)
    else { return }
    let isBig = Self.word(header, 0) & 1 == 1
    var sum: (UInt32, UInt32) = (0, 0)
    Self.add(header[..<24], to: &sum, isBig: isBig)
    guard sum == (Self.word(header, 24), Self.word(header, 28)) else { return }
    var pending: [Int64: Int64] = [:]
    var place: Int64 = 32
    // Frames after the last one belong to an older log: their salts differ.
    defer {
      unreadFrames = countFrames(from: place, salts: header[16..<24])
      isLogTorn = unreadFrames > 0
    }
    while let frame = log.read(Self.frameHeader + size, at: place),
      frame[8..<16] == header[16..<24]
    {
      Self.add(frame[..<8], to: &sum, isBig: isBig)
      Self.add(frame[Self.frameHeader...], to: &sum, isBig: isBig)
      guard sum == (Self.word(frame, 16), Self.word(frame, 20)) else { return }
      pending[Int64(Self.word(frame, 0))] = place + Int64(Self.frameHeader)
      place += Int64(Self.frameHeader + size)
      guard Self.word(frame, 4) != 0 else { continue }
      newer.merge(pending) { $1 }
      pending = [:]
      count = Int64(Self.word(frame, 4))
    }
  }

  private func countFrames(from start: Int64, salts: ArraySlice<UInt8>) -> Int64 {
    var (place, count): (Int64, Int64) = (start, 0)
    while let frame = log?.read(Self.frameHeader, at: place) {
      if frame[8..<16] == salts { count += 1 }
      place += Int64(Self.frameHeader + size)
    }
    return count
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>, to sum: inout (UInt32, UInt32), isBig: Bool
  ) {
    for start in stride(from: bytes.startIndex, to: bytes.endIndex - 7, by: 8) {
      let first = word(bytes, start)
      let second = word(bytes, start + 4)
      sum.0 &+= (isBig ? first : first.byteSwapped) &+ sum.1
      sum.1 &+= (isBig ? second : second.byteSwapped) &+ sum.0
    }
  }

  /// The four bytes at a place, big end first.
  static func word<Bytes: Collection<UInt8>>(
    _ bytes: Bytes, _ start: Int
  ) -> UInt32 where Bytes.Index == Int {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The same as a number of pages or of one.
  static func number(_ page: [UInt8], _ start: Int) -> Int64 { Int64(word(page, start)) }
}
