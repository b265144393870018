internal import GatebookAuthentication
internal import Testing

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("http://example.com", "http://example.com/"),
    ("HTTP://EXAMPLE.com/", "http://example.com/"),
    ("http://example.com:80/a", "http://example.com/a"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("https://example.com:80/a", "https://example.com:80/a"),
    ("http://example.com:/a", "http://example.com/a"),
    ("http://example.com:1", "http://example.com:1/"),
    ("http://example.com:65535", "http://example.com:65535/"),
    ("http://example.com?a=b", "http://example.com/?a=b"),
    ("http://example.com/?", "http://example.com/?"),
    ("http://example.com/a?b?c/d", "http://example.com/a?b?c/d"),
    ("http://example.com/a#b?c", "http://example.com/a"),
    ("http://example.com#", "http://example.com/"),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
    ("http://[::1]:8080/", "http://[::1]:8080/"),
    ("http://[2001:DB8:0:0:1:0:0:1]/", "http://[2001:db8::1:0:0:1]/"),
    ("http://[0:0:0:0:0:0:0:0]/", "http://[::]/"),
    ("http://[1:0:3:4:5:6:7:8]/", "http://[1:0:3:4:5:6:7:8]/"),
    ("http://[::ffff:192.0.2.1]/", "http://[::ffff:c000:201]/"),
    ("http://my_host-1.local/", "http://my_host-1.local/"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/../../a", "http://example.com/a"),
    ("http://example.com/a/..", "http://example.com/"),
    ("http://example.com/a/.", "http://example.com/a/"),
    ("http://example.com/a/%2E%2e/b/%2e/c", "http://example.com/b/c"),
    ("http://example.com/a//b", "http://example.com/a//b"),
    ("http://example.com/%C3%A4;p=1?q=%20&r='(*)'", "http://example.com/%C3%A4;p=1?q=%20&r='(*)'"),
  ])
  func `a valid URL has one text`(_ text: String, _ expected: String) throws {
    let url = try #require(HTTPURL(text))
    #expect(url.description == expected)
    #expect(HTTPURL(expected) == url)
  }

  @Test(arguments: [
    "", "http", "http:", "http:/", "http://", "http:///", "http:example.com", "//example.com/",
    "/a", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)",
    "http://user@example.com/", "http://user:password@example.com/", "http://@example.com/",
    "http://example.com:0/", "http://example.com:65536/", "http://example.com:99999999999/",
    "http://example.com:-1/", "http://example.com:+1/", "http://example.com:8a/",
    "http://exa mple.com/", "http://example.com/a b", " http://example.com/",
    "http://example.com/ ", "http://example.com/\t", "http://example.com/\r\nHost: evil",
    "http://example.com/\u{0}", "http://example.com/\u{7F}", "http://example.com\\@evil.com/",
    "http://example.com/\\", "http://ex%61mple.com/", "http://exämple.com/",
    "http://example.com/ä", "http://example.com/?ä", "http://example.com/#ä",
    "http://\u{212A}.com/", "http://.example.com/", "http://example..com/", "http://example.com./",
    "http://\(String(repeating: "a", count: 64)).com/",
    "http://\(String(repeating: "abcdefg.", count: 32))com/",
    "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/",
    "http://0177.0.0.1/", "http://127.0.0.01/", "http://127.0.0.256/", "http://1.2.3.4.5/",
    "http://example.123/", "http://[::1/", "http://::1/", "http://[]/", "http://[::1]a/",
    "http://[::1]:x/", "http://[1:2:3:4:5:6:7]/", "http://[1:2:3:4:5:6:7:8:9]/",
    "http://[1::2::3]/", "http://[:::1]/", "http://[:1]/", "http://[1:]/", "http://[12345::]/",
    "http://[::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[v1.a]/", "http://[g::]/",
    "http://[::1.2.3]/", "http://[1.2.3.4::]/", "http://[1:2:3:4:5:6:7::8]/",
    "http://example.com/%", "http://example.com/%4", "http://example.com/%zz",
    "http://example.com/?%4", "http://example.com/<a>", "http://example.com/a|b",
    "http://example.com/a#b#c", "http://example.com/[a]", "http://example.com/\"",
  ])
  func `anything outside the grammar is refused`(_ text: String) {
    #expect(HTTPURL(text) == nil)
  }

  @Test func `a URL is taken apart as it is sent`() throws {
    let url = try #require(HTTPURL("https://Example.com:8443/a/b;c=1?d=e&f#g"))
    #expect(url.origin == Origin(scheme: "https", host: "example.com", port: 8443))
    #expect(url.path == "/a/b;c=1")
    #expect(url.query == "d=e&f")
    #expect(url.target == "/a/b;c=1?d=e&f")
    #expect(try #require(HTTPURL("http://[::1]/")).origin.host == "::1")
  }

  @Test(arguments: [
    ("http://h/a?token=secret", "http://h/a"),
    ("http://h/a;jsessionid=secret/b;c?d", "http://h/a/b"),
    ("http://h:81", "http://h:81/"),
  ])
  func `texts show neither query nor path parameters`(_ text: String, _ shown: String) throws {
    #expect(try #require(HTTPURL(text)).withoutQuery == shown)
  }

  @Test(arguments: [
    ("http://h/login.html", "http://h/login.html?failed", true),
    ("http://h/login.html", "http://h/login.html;jsessionid=1", true),
    ("http://h/%7euser", "http://h/~user", true),
    ("http://h/%c3%a4", "http://h/%C3%A4", true),
    ("http://h/a%2Fb", "http://h/a/b", false),
    ("http://h/login", "http://h/login/", false),
    ("http://h/login", "http://h/Login", false),
    ("http://h/login", "https://h/login", false),
    ("http://h/login", "http://g/login", false),
    ("http://h/login", "http://h:81/login", false),
  ])
  func `a page is known by its origin and path`(
    _ left: String, _ right: String, _ same: Bool
  ) throws {
    let page = try #require(HTTPURL(left))
    let other = try #require(HTTPURL(right))
    #expect(page.isSamePage(as: other) == same)
    #expect(other.isSamePage(as: page) == same)
  }

  @Test(arguments: [
    ("/a", "http://h/a"),
    ("/a/../b?c=d", "http://h/b?c=d"),
    ("//g/a", "http://h//g/a"),
    ("/a#b", "http://h/a"),
    ("a", nil),
    ("", nil),
    ("*", nil),
    ("http://g/", nil),
    ("/%zz", nil),
    ("/a b", nil),
  ])
  func `a target stays at its server`(_ target: String, _ url: String?) throws {
    let server = try #require(HTTPURL("http://h/")).origin
    #expect(HTTPURL(server, target: target)?.description == url)
  }
}
