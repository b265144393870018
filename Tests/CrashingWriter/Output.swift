internal import Glibc

/// Lines for the parent, each in one system call.
enum Output {
  static func line(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}
